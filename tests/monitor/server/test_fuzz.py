"""Everything that the OpenAPI allows, and much that it does not: never a server error."""

from __future__ import annotations

import contextlib
from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.monitor.server.served import Served

EXAMPLES = 8
"""Of each operation and mode; more with a longer patience."""
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


def test_no_request_breaks_the_server(tmp_path: Path) -> None:
    """Every operation with generated requests, lawful ones and broken ones."""
    server = Served(tmp_path)
    schema = schemathesis.openapi.from_dict(server.get("/openapi.json"))
    headers = {"Authorization": f"Bearer {server.token}"}
    tried: dict[str, int] = {}
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in GenerationMode:

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                derandomize=True,
                phases=[HypothesisPhase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def one(case: schemathesis.Case) -> None:
                case.call_and_validate(base_url=server.base, headers=headers, checks=CHECKS)
                tried[case.operation.label] = tried.get(case.operation.label, 0) + 1

            with contextlib.suppress(Unsatisfiable):
                one()
    assert len(tried) >= 20 and sum(tried.values()) >= 200
    assert server.get("/matches/1/rejudged")["same"]
    assert server.stop() == 0
