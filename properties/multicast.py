"""The properties of multicast protocols, by their usual names."""

from properties.acyclicity import Acyclicity
from properties.agreement import Agreement, UniformAgreement
from properties.integrity import NoCreation, NoDuplication
from properties.order import CausalOrder, FifoOrder
from properties.progress import DeadlockFree
from properties.termination import Termination, Validity
from properties.total_order import GapFreeTotalOrder, TotalOrder, UniformGapFreeTotalOrder, UniformTotalOrder

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
