import Console
import LocalStore
import Sockets

/// Why the server could not start, in words for whoever started it.
struct StartFailure: Error {
    let message: String
    let hints: [String]
    let code: ExitCode
    /// Whether it is only that another has the store open.
    let isInUse: Bool

    init(_ message: String, hints: [String] = [], code: ExitCode = .failed, isInUse: Bool = false) {
        self.message = message
        self.hints = hints
        self.code = code
        self.isInUse = isInUse
    }

    /// What a server, or what it is made of, answered with a problem.
    init(_ detail: String, status: Int, hints: [String] = []) {
        self.init(detail, hints: hints, code: status == 400 ? .misuse : .failed)
    }

    /// A server that could not be asked through its control socket.
    init(asking error: SystemError, data: String) {
        guard error.isPermissionDenied else {
            self.init("the server did not answer: \(error)", hints: ["is it stuck? its log may tell"])
            return
        }
        let owner = DataDirectory.owner(data).map { "user \($0.user)" } ?? "another user"
        self.init(
            "the data directory \(data) belongs to \(owner), who alone may ask its server",
            hints: ["run this as \(owner), as the server is run, or as root"])
    }

    /// A listener that could not be opened.
    init(_ error: SystemError) {
        if error.isAddressInUse, error.subject.hasSuffix("/\(StoreNames.controlSocket)") {
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
