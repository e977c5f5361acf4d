"""visual: rectangular blocks of the rendered page, 33 features, a neural network (Narwal 2017).

The page is segmented as it looks, and a feed-forward network classifies each block as main content,
mixed or noise. It needs a rendered page (`newsclean.browser`). Where the paper contradicts itself,
the docstring of the module says how it was read.
"""
