"""From a district to a class that has learnt something."""
