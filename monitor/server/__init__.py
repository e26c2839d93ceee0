"""The live page: HTTP, WebSocket, and who may do what."""
