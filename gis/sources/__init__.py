"""Readers of raw data: the only modules that open an OSM extract, a DEM or a population file."""
