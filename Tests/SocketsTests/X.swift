import Sockets
