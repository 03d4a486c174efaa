"""From a town's OpenStreetMap extract and elevation raster to a playable district."""
