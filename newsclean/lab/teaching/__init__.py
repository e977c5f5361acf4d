"""How much corrected pages of a site improve its other pages, with golds as the person."""
