"""unicode"""
