"""Three invoices that look alike: one seller, near-equal buyers, numbers that differ in the last digit."""

from __future__ import annotations

from typing import NamedTuple


class Item(NamedTuple):
    description: str
    sac: str
    quantity: int
    rate: int

    @property
    def amount(self) -> int:
        return self.quantity * self.rate


class Invoice(NamedTuple):
    file: str
    number: str
    date: str
    due: str
    buyer: str
    address: str
    gstin: str
    order: str
    """The buyer's purchase order; "" when none was given."""
    interstate: bool
    """Interstate supplies carry IGST 18 %, others CGST 9 % and SGST 9 %."""
    items: tuple[Item, ...]

    @property
    def taxable(self) -> int:
        return sum(item.amount for item in self.items)

    def taxes(self) -> tuple[tuple[str, int], ...]:
        """Tax lines in rupees; the amounts of the samples divide evenly."""
        if self.interstate:
            return (("IGST @ 18%", self.taxable * 18 // 100),)
        half = self.taxable * 9 // 100
        return (("CGST @ 9%", half), ("SGST @ 9%", half))

    @property
    def total(self) -> int:
        return self.taxable + sum(amount for _, amount in self.taxes())


INVOICES = (
    Invoice(
        "INV2025001.pdf",
        "STL/2025-26/001",
        "12-Apr-2025",
        "12-May-2025",
        "Meridian Foods Limited",
        "Plot 18, Chakan Industrial Area, Pune 410501",
        "27AABCM4521K1Z6",
        "MFL-PO-7741",
        False,
        (
            Item("Payroll software licence, 50 users", "997331", 1, 180_000),
            Item("Implementation services, per day", "998313", 6, 18_500),
            Item("On-site training, per session", "999293", 3, 12_000),
        ),
    ),
    Invoice(
        "INV2025002.pdf",
        "STL/2025-26/002",
        "28-Apr-2025",
        "28-May-2025",
        "Meridian Fabrics Limited",
        "22 Ring Road, Surat 395002",
        "24AAGCM8830P1ZR",
        "",
        True,
        (
            Item("Payroll software licence, 75 users", "997331", 1, 262_500),
            Item("Implementation services, per day", "998313", 9, 18_500),
            Item("Data migration, fixed fee", "998314", 1, 45_000),
        ),
    ),
    Invoice(
        "INV2025003.pdf",
        "STL/2025-26/003",
        "15-May-2025",
        "14-Jun-2025",
        "Malabar Spices LLP",
        "9 Willingdon Island Road, Kochi 682003",
        "32AATFM2267L1ZD",
        "MS/PUR/118",
        True,
        (
            Item("Payroll software licence, 25 users", "997331", 1, 96_000),
            Item("Implementation services, per day", "998313", 4, 18_500),
            Item("On-site training, per session", "999293", 2, 12_000),
            Item("Annual support plan", "998316", 1, 36_000),
        ),
    ),
)
