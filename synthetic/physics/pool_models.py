"""Our tables, balls and collision models as pooltool knows them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from pooltool.objects import BallParams, PocketTableSpecs
from pooltool.physics.resolve.ball_ball.friction import (
    AlciatoreBallBallFriction,
    AverageBallBallFriction,
)
from pooltool.physics.resolve.ball_ball.frictional_inelastic import FrictionalInelastic
from pooltool.physics.resolve.ball_ball.frictional_mathavan import FrictionalMathavan
from pooltool.physics.resolve.ball_ball.frictionless_elastic import FrictionlessElastic
from pooltool.physics.resolve.ball_cushion.han_2005.model import Han2005Circular, Han2005Linear
from pooltool.physics.resolve.ball_cushion.impulse_frictional_inelastic.model import (
    ImpulseFrictionalInelasticCircular,
    ImpulseFrictionalInelasticLinear,
)
from pooltool.physics.resolve.ball_cushion.mathavan_2010.model import (
    Mathavan2010Circular,
    Mathavan2010Linear,
)
from pooltool.physics.resolve.ball_cushion.stronge_compliant.model import (
    StrongeCompliantCircular,
    StrongeCompliantLinear,
)
from pooltool.physics.resolve.ball_cushion.unrealistic import UnrealisticCircular, UnrealisticLinear
from pooltool.physics.resolve.ball_pocket import CanonicalBallPocket
from pooltool.physics.resolve.resolver import Resolver
from pooltool.physics.resolve.stick_ball.instantaneous_point import InstantaneousPoint
from pooltool.physics.resolve.transition import CanonicalTransition

from synthetic.physics.conditions import GRAVITY_MPS2, BallModel, Conditions, CushionModel
from synthetic.physics.motion import Array
from table.geometry import Pocket, TableSpec

BALL_MASS_KG: Final = 0.170
CORNER_HOLE_M: Final = 0.062
SIDE_HOLE_M: Final = 0.0645


def hole(table: TableSpec, pocket: Pocket) -> tuple[Array, float]:
    """Centre (2,) and radius of a pocket's hole: a ball centre inside it falls.

    The hole's edge cuts the pocket's axis at the point of no return of `table.geometry`.
    """
    shape = table.pockets[pocket]
    radius = SIDE_HOLE_M if pocket.is_side else CORNER_HOLE_M
    center = np.array(shape.drop_point) + radius * np.array(shape.outward)
    return center, radius


def pt_specs(table: TableSpec) -> PocketTableSpecs:
    def depth(pocket: Pocket) -> float:
        center, _ = hole(table, pocket)
        if pocket.is_side:
            return float(abs(center[1]) - table.width_m / 2)
        corner = np.array(table.nose_corners[pocket])
        return float(np.dot(center - corner, np.array(table.pockets[pocket].outward)))

    return PocketTableSpecs(
        l=table.length_m,
        w=table.width_m,
        cushion_height=0.635 * table.ball_diameter_m,
        corner_pocket_width=table.corner_mouth_m,
        corner_pocket_depth=depth(Pocket.HL),
        corner_pocket_radius=CORNER_HOLE_M,
        side_pocket_width=table.side_mouth_m,
        side_pocket_depth=depth(Pocket.SL),
        side_pocket_radius=SIDE_HOLE_M,
    )


def ball_params(table: TableSpec, conditions: Conditions) -> BallParams:
    return BallParams(
        m=BALL_MASS_KG,
        R=table.ball_radius_m,
        u_s=conditions.slide,
        u_r=conditions.roll,
        u_sp_proportionality=conditions.spin,
        u_b=conditions.ball_friction,
        e_b=conditions.ball_restitution,
        e_c=conditions.cushion_restitution,
        f_c=conditions.cushion_friction,
        g=GRAVITY_MPS2,
    )


def resolver(conditions: Conditions) -> Resolver:
    ball: Any = {
        BallModel.ALCIATORE: lambda: FrictionalInelastic(friction=AlciatoreBallBallFriction()),
        BallModel.CONSTANT: lambda: FrictionalInelastic(friction=AverageBallBallFriction()),
        BallModel.MATHAVAN: FrictionalMathavan,
        BallModel.IDEAL: FrictionlessElastic,
    }[conditions.ball_model]()
    linear, circular = {
        CushionModel.STRONGE: (StrongeCompliantLinear, StrongeCompliantCircular),
        CushionModel.HAN: (Han2005Linear, Han2005Circular),
        CushionModel.MATHAVAN: (Mathavan2010Linear, Mathavan2010Circular),
        CushionModel.IMPULSE: (
            ImpulseFrictionalInelasticLinear,
            ImpulseFrictionalInelasticCircular,
        ),
        CushionModel.MIRROR: (UnrealisticLinear, UnrealisticCircular),
    }[conditions.cushion_model]
    linear_model: Any = linear()
    circular_model: Any = circular()
    return Resolver(
        ball_ball=ball,
        ball_linear_cushion=linear_model,
        ball_circular_cushion=circular_model,
        ball_pocket=CanonicalBallPocket(),
        stick_ball=InstantaneousPoint(),
        transition=CanonicalTransition(),
    )
