"""The prose: a policy, a service contract with a three-level outline, and an amendment that contradicts it."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """A heading of level 1 to 3 and the paragraphs under it."""

    level: int
    title: str
    paragraphs: tuple[str, ...] = ()


POLICY_TITLE = "Leave and Travel Policy"
POLICY = (
    Part(
        1,
        "1 Purpose and scope",
        (
            "This policy sets out how employees of Sahyadri Tech Labs take time off and how business travel is "
            "arranged and reimbursed. It applies to all permanent and fixed-term employees from 1 April 2025 and "
            "replaces all earlier circulars on the same subjects.",
        ),
    ),
    Part(
        1,
        "2 Annual leave",
        (
            "Every employee earns 18 working days of annual leave in a calendar year, credited at one and a half "
            "days per completed month. Leave is requested in the HR portal at least ten working days before its "
            "first day; the reporting manager decides within three working days.",
            "Up to 6 unused days are carried forward to the following year. Days carried forward lapse if they are "
            "not taken by 30 June. Unused leave is not paid out except when employment ends.",
        ),
    ),
    Part(
        1,
        "3 Sick leave",
        (
            "Employees may take up to 10 days of sick leave in a calendar year with full pay. A medical certificate "
            "is required when an absence lasts longer than two consecutive days. Sick leave cannot be carried "
            "forward.",
        ),
    ),
    Part(
        1,
        "4 Parental leave",
        (
            "Maternity leave is 26 weeks with full pay, of which not more than 8 weeks may be taken before the "
            "expected date of delivery. Fathers receive 15 days of paid paternity leave, to be taken within three "
            "months of the birth. Adoptive parents of a child below the age of three months receive 12 weeks.",
        ),
    ),
    Part(
        1,
        "5 Business travel",
        (
            "Travel is booked through the travel desk. Journeys of up to 300 kilometres are made by train or by "
            "road; economy class is the standard for all flights, and premium economy may be approved by a vice "
            "president for flights of more than six hours. Hotel and daily limits by grade are in the table below.",
        ),
    ),
    Part(
        1,
        "6 Expense claims",
        (
            "Claims are submitted within 15 days of the end of the journey, with original bills for every item above "
            "INR 500. A claim that reaches Finance later is settled only with the written approval of the Chief "
            "Financial Officer. Approved claims are paid with the next payroll run.",
            "Alcohol, personal telephone calls and traffic fines are not reimbursed.",
        ),
    ),
    Part(
        1,
        "7 Exceptions",
        (
            "Exceptions to this policy are granted only by the Head of Human Resources, in writing and before the "
            "expense is incurred or the absence begins.",
        ),
    ),
)
LIMITS_AFTER = "5 Business travel"
LIMITS_TITLE = "Travel limits by grade (INR per day)"
LIMITS_HEADER = ("Grade", "Hotel per night", "Daily allowance", "Local transport", "Rail class")
# Grade L1 has no local transport limit: the empty cell is the right answer to a question about it.
LIMITS = (
    ("L4", "9,500", "2,400", "1,800", "First AC"),
    ("L3", "7,000", "1,800", "1,200", "Second AC"),
    ("L2", "5,200", "1,400", "900", "Second AC"),
    ("L1", "3,800", "1,000", "", "Third AC"),
)

CONTRACT_TITLE = "Service Contract"
CONTRACT_INTRO = (
    "This Service Contract is made on 10 January 2025 between Sahyadri Tech Labs Private Limited (the Provider) "
    "and Meridian Foods Limited (the Client)."
)
CONTRACT = (
    Part(1, "1 Services"),
    Part(2, "1.1 Scope of services"),
    Part(
        3,
        "1.1.1 Payroll processing",
        (
            "The Provider processes the monthly payroll of the Client for up to 600 employees, prepares payslips and "
            "files the statutory returns that follow from it.",
        ),
    ),
    Part(
        3,
        "1.1.2 Help desk",
        (
            "The Provider answers queries of the Client's staff on working days between 9:00 and 18:00 and gives a "
            "first response within four working hours.",
        ),
    ),
    Part(
        2,
        "1.2 Acceptance",
        (
            "Deliverables count as accepted when the Client has not objected in writing within 10 working days of "
            "delivery.",
        ),
    ),
    Part(1, "2 Fees and payment"),
    Part(2, "2.1 Fees", ("The monthly fee is INR 2,40,000, exclusive of taxes, and is fixed for the initial term.",)),
    Part(2, "2.2 Payment terms"),
    Part(
        3,
        "2.2.1 Due date",
        ("Invoices are payable within 30 days of receipt, by bank transfer to the Provider's account.",),
    ),
    Part(
        3,
        "2.2.2 Late payment",
        ("Overdue amounts bear interest at 1.5 percent per month from the due date until they are paid.",),
    ),
    Part(1, "3 Confidentiality"),
    Part(
        2,
        "3.1 Duty of confidence",
        (
            "Each party keeps the other's information confidential and uses it only to perform this Contract. The duty "
            "continues for 5 years after the Contract ends.",
        ),
    ),
    Part(1, "4 Restrictive covenants"),
    Part(2, "4.1 Non-compete"),
    Part(
        3,
        "4.1.1 Period",
        (
            "During the term and for 12 months after its end, the Provider shall not offer payroll services to any "
            "direct competitor of the Client in the packaged foods business.",
        ),
    ),
    Part(3, "4.1.2 Territory", ("The non-compete obligation applies in the states of Maharashtra and Goa.",)),
    Part(
        2,
        "4.2 Non-solicitation",
        ("Neither party shall solicit the other's employees during the term and for 9 months after its end.",),
    ),
    Part(1, "5 Liability and insurance"),
    Part(2, "5.1 Limitation of liability"),
    Part(
        3,
        "5.1.1 Liability cap",
        (
            "The aggregate liability of the Provider under this Contract shall not exceed INR 50,00,000 in any "
            "contract year.",
        ),
    ),
    Part(
        3,
        "5.1.2 Exclusions",
        ("The liability cap does not apply to fraud, wilful misconduct or breach of confidentiality.",),
    ),
    Part(2, "5.2 Insurance"),
    Part(
        3,
        "5.2.1 Insurance cap",
        (
            "The Provider maintains professional indemnity insurance with a cover of not less than INR 75,00,000 per "
            "claim throughout the term.",
        ),
    ),
    Part(1, "6 Term and termination"),
    Part(
        2,
        "6.1 Term",
        (
            "The Contract begins on 1 February 2025 and runs for an initial term of 24 months; it then renews for "
            "periods of 12 months unless a party gives notice.",
        ),
    ),
    Part(2, "6.2 Termination"),
    Part(
        3,
        "6.2.1 Notice period",
        ("Either party may terminate this Contract for convenience by giving 60 days' written notice.",),
    ),
    Part(
        3,
        "6.2.2 Termination for cause",
        ("A party may terminate at once when the other does not cure a material breach within 15 days of notice.",),
    ),
    Part(1, "7 General provisions"),
    Part(
        2,
        "7.1 Governing law",
        ("This Contract is governed by the laws of India; the courts at Pune have exclusive jurisdiction.",),
    ),
    Part(
        2,
        "7.2 Amendments",
        ("Changes to this Contract are valid only in writing and when signed by both parties.",),
    ),
)

AMENDMENT_TITLE = "Amendment No. 1 to the Service Contract"
AMENDMENT_INTRO = (
    "This Amendment is made on 15 May 2025 between Sahyadri Tech Labs Private Limited (the Provider) and Meridian "
    "Foods Limited (the Client). It amends the Service Contract dated 10 January 2025 with effect from 1 June 2025."
)
AMENDMENT = (
    Part(
        1,
        "1 Change to the non-compete period",
        (
            "Clause 4.1.1 is replaced: during the term and for 24 months after its end, the Provider shall not offer "
            "payroll services to any direct competitor of the Client in the packaged foods business.",
        ),
    ),
    Part(
        1,
        "2 Change to the payment terms",
        ("Clause 2.2.1 is replaced: invoices are payable within 45 days of receipt, by bank transfer.",),
    ),
    Part(
        1,
        "3 No other changes",
        ("All other provisions of the Service Contract remain in force without change.",),
    ),
)
