from hypothesis import settings

# A slow moment of the machine is no failure of the code.
settings.register_profile("newsclean", deadline=None)
settings.load_profile("newsclean")
