"""Words: what people read. Facts come in, with the one who reads; sentences come out."""
