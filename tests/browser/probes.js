// Looks at a page from outside, for tests: evaluates to an object of probes.
(() => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const rgb = (text) => text.match(/[\d.]+/g).map(Number);
  const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + under[i] * (1 - (top[3] ?? 1)));

  /** What lies behind the text of `node`: the grounds of its ancestors, one over the other. */
  function ground(node) {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.unshift(rgb(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, top) => over(top, under), [0, 0, 0]);
  }

  return {
    /** Everything that can be tapped, with its size and its name. */
    targets() {
      return [...document.querySelectorAll("button, a.button, [role=button]")].filter(seen).map((node) => {
        const { width, height } = node.getBoundingClientRect();
        const name = node.getAttribute("aria-label") || node.textContent.trim();
        return { width, height, name, id: node.id || node.getAttribute("class") };
      });
    },

    /** Texts whose contrast (WCAG 2) is less than `least`, and what it is. */
    poorContrast(least) {
      const poor = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent.trim();
        if (!text || !seen(node) || node.closest("svg, :disabled, [aria-disabled], .spoken")) continue;
        const under = ground(node);
        const [dark, bright] = [light(over(rgb(getComputedStyle(node).color), under)), light(under)].sort((a, b) => a - b);
        const ratio = (bright + 0.05) / (dark + 0.05);
        if (ratio < least) poor.push([text.slice(0, 40), Number(ratio.toFixed(2))]);
      }
      return poor;
    },

    /** From now on keeps what jumps (layout shifts) outside the desk, which is a list, and sheets. */
    watchShifts(least) {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          for (const { node } of entry.sources) {
            const part = node?.nodeType === 1 ? node : node?.parentElement;
            if (entry.value > least && !part?.closest("#desk, dialog")) window.shifts.push([entry.value, part?.outerHTML.slice(0, 80)]);
          }
        }
      }).observe({ type: "layout-shift", buffered: false });
    },

    wide: () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  };
})()
