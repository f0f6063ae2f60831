"""The two salary registers as plain data. Amounts are whole rupees; nothing here is a real person."""

from __future__ import annotations

from typing import NamedTuple

COMPANY = "Sahyadri Tech Labs Private Limited"
ADDRESS = "4th Floor, Deccan House, Baner Road, Pune 411045"


class Pay(NamedTuple):
    """One row of a register; net pay is basic + allowances - deductions."""

    emp_id: str
    name: str
    role: str
    basic: int
    allowances: int
    deductions: int

    @property
    def net(self) -> int:
        return self.basic + self.allowances - self.deductions


APRIL = (
    Pay("ST001", "Aarav Sharma", "Engineering Manager", 125_000, 48_500, 21_350),
    Pay("ST002", "Diya Patel", "Senior Accountant", 72_000, 26_400, 10_120),
    Pay("ST003", "Vihaan Reddy", "Software Engineer", 68_500, 22_750, 9_480),
    Pay("ST004", "Ananya Iyer", "HR Executive", 54_000, 18_900, 7_260),
    Pay("ST005", "Kabir Singh", "Sales Manager", 88_000, 41_250, 13_975),
    Pay("ST006", "Meera Nair", "Software Engineer", 71_250, 23_600, 9_910),
    Pay("ST007", "Rohan Das", "Support Engineer", 46_000, 15_300, 5_840),
    Pay("ST008", "Isha Kulkarni", "Product Designer", 64_750, 21_050, 8_730),
    Pay("ST009", "Arjun Mehta", "Accountant", 49_500, 16_200, 6_385),
    Pay("ST010", "Sara Khan", "Software Engineer", 69_900, 22_980, 9_655),
    Pay("ST011", "Neel Joshi", "Office Assistant", 28_400, 9_150, 2_960),
    Pay("ST012", "Tara Bose", "Data Analyst", 61_300, 20_450, 8_215),
)

_MARCH_DIFFERS = {
    "ST003": Pay("ST003", "Vihaan Reddy", "Software Engineer", 65_000, 22_750, 9_130),
    "ST005": Pay("ST005", "Kabir Singh", "Sales Manager", 88_000, 36_250, 13_475),
    "ST007": Pay("ST007", "Rohan Das", "Support Engineer", 46_000, 15_300, 6_240),
}
MARCH = tuple(_MARCH_DIFFERS.get(p.emp_id, p) for p in APRIL if p.emp_id != "ST012")

# The notes hold other head counts on purpose: a reader of prose alone would answer 14 or 2.
APRIL_NOTES = (
    "The sanctioned strength of the Pune office is 14 positions; two positions, Network Engineer and "
    "Store Keeper, remained vacant throughout the month.",
    "Tara Bose joined on 1 April 2025 and has been paid for the full month.",
    "The basic pay of Vihaan Reddy was revised with effect from 1 April 2025 after his annual review.",
    "Salaries for April 2025 were credited on 30 April 2025 by bank transfer. Deductions comprise provident "
    "fund, professional tax and income tax deducted at source.",
)
MARCH_NOTES = (
    "The sanctioned strength of the Pune office is 14 positions; three positions remained vacant.",
    "Rohan Das was on leave without pay for one day; the recovery is included in his deductions.",
    "Salaries for March 2025 were credited on 31 March 2025 by bank transfer.",
)
