"""Serves what OpenSSL no longer has: tlslite-server.py sslv3|rc4|3des, with a key and its chain (PEM) on standard input.

Prints its port on 127.0.0.1, and runs until it is killed or its standard input ends.
"""
import os
import socket
import sys
import threading

from tlslite.api import HandshakeSettings, TLSConnection, X509CertChain, parsePEMKey

kind = sys.argv[1]
pem = ""
for line in sys.stdin:
    if line.strip() == "END":
        break
    pem += line
chain = X509CertChain()
chain.parsePemList(pem)
key = parsePEMKey(pem, private=True)

settings = HandshakeSettings()
settings.minVersion, settings.maxVersion = {"sslv3": ((3, 0), (3, 0))}.get(kind, ((3, 1), (3, 3)))
settings.cipherNames = {"sslv3": ["aes128", "aes256"], "rc4": ["rc4"], "3des": ["3des"]}[kind]
settings.macNames = ["sha", "sha256", "md5"]
settings.useEncryptThenMAC = False


def serve(client):
    try:
        connection = TLSConnection(client)
        connection.handshakeServer(certChain=chain, privateKey=key, settings=settings)
        connection.close()
    except Exception:
        pass
    finally:
        client.close()


def wait_for_end():
    sys.stdin.read()
    os._exit(0)


server = socket.create_server(("127.0.0.1", 0), backlog=50)
print(server.getsockname()[1], flush=True)
threading.Thread(target=wait_for_end, daemon=True).start()
while True:
    client, _ = server.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
