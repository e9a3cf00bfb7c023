import Console
import Sockets

/// Why the server could not start, in words for whoever started it.
struct StartFailure: Error {
    let message: String
    let hints: [String]
    let code: ExitCode

    init(_ message: String, hints: [String] = [], code: ExitCode = .failed) {
        self.message = message
        self.hints = hints
        self.code = code
    }

    /// A listener that could not be opened.
    init(_ error: SystemError) {
        if error.isAddressInUse, error.subject.hasSuffix("/\(ControlSocket.fileName)") {
            self.init(
                "\(error.subject) is something else than the socket of a server that is gone",
                hints: ["move it away; the server makes its own"])
        } else if error.isAddressInUse {
            self.init(
                "\(error.subject) is in use: another server listens there",
                hints: ["choose another address with --listen HOST:PORT, or stop the other server"])
        } else if error.isPermissionDenied {
            self.init(
                "no permission to listen on \(error.subject)",
                hints: ["ports below 1024 need a privilege; choose a higher one with --listen HOST:PORT"])
        } else if error.isDescriptorShortage {
            self.init(
                "too few file descriptors to start (\(error.operation))",
                hints: ["raise the limit, for example with: ulimit -n 1024"])
        } else {
            self.init("cannot listen: \(error)", hints: ["check the address given with --listen"])
        }
    }
}
