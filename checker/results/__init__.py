"""Results as pure data, between the analyses that compute them and the reports that print them."""
