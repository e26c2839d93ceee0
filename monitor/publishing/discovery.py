"""Discovery for Home Assistant: the table appears there by itself, with its sensors.

Source: the MQTT integration's discovery format, one device with several components
(home-assistant.io, "MQTT", device discovery).
"""

from __future__ import annotations

from typing import Final

from monitor.store import Body

_SENSORS: Final = (
    ("score", "Score", "{{ value_json.score.A }} : {{ value_json.score.B }}", "mdi:scoreboard"),
    (
        "at_table",
        "At the table",
        "{{ value_json.players[value_json.at_table] }}",
        "mdi:account",
    ),
    ("ball_on", "Ball on", "{{ value_json.ball_on or '-' }}", "mdi:billiards"),
    (
        "last_ruling",
        "Last ruling",
        "{{ (value_json.last_ruling or '-')[:255] }}",
        "mdi:gavel",
    ),
)


def discovery_topic(prefix: str, node: str) -> str:
    """Where the description of the table is published, retained."""
    return f"{prefix}/device/{node}/config"


def discovery_message(node: str, base: str, version: str) -> Body:
    """The description: one device, its sensors, all from the state topic."""
    components: Body = {
        f"{node}_{key}": {
            "platform": "sensor",
            "unique_id": f"{node}_{key}",
            "name": name,
            "value_template": template,
            "icon": icon,
            "state_topic": f"{base}/state",
        }
        for key, name, template, icon in _SENSORS
    }
    components[f"{node}_problem"] = {
        "platform": "binary_sensor",
        "unique_id": f"{node}_problem",
        "name": "Rulings stopped",
        "device_class": "problem",
        "value_template": "{{ 'OFF' if value_json.ruling else 'ON' }}",
        "state_topic": f"{base}/state",
    }
    return {
        "device": {
            "identifiers": [node],
            "name": "Pool table",
            "manufacturer": "table-monitor",
            "sw_version": version,
        },
        "origin": {"name": "table-monitor", "sw_version": version},
        "availability_topic": f"{base}/availability",
        "state_topic": f"{base}/state",
        "components": components,
        "qos": 1,
    }
