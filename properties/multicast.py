"""The properties of multicast protocols, by their usual names."""

from checker.properties.acyclicity import Acyclicity
from checker.properties.agreement import Agreement, UniformAgreement
from checker.properties.integrity import NoCreation, NoDuplication
from checker.properties.order import CausalOrder, FifoOrder
from checker.properties.progress import DeadlockFree
from checker.properties.termination import Termination, Validity
from checker.properties.total_order import GapFreeTotalOrder, TotalOrder, UniformGapFreeTotalOrder, UniformTotalOrder

__all__ = [
    "Acyclicity",
    "Agreement",
    "CausalOrder",
    "DeadlockFree",
    "FifoOrder",
    "GapFreeTotalOrder",
    "NoCreation",
    "NoDuplication",
    "Termination",
    "TotalOrder",
    "UniformAgreement",
    "UniformGapFreeTotalOrder",
    "UniformTotalOrder",
    "Validity",
]
