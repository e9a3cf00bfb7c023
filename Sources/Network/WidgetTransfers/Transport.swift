package import WidgetAddresses

/// Brings one request to a server and its answer back: libcurl, or a script in its place.
///
/// One exchange and no more: redirects, retries and resuming are ``TransferClient``'s business.
package protocol Transport: Sendable {
    /// Returns when the head of the answer is there; the body is read from the answer.
    ///
    /// Ends early, with ``TransferError/Reason/cancelled``, when the task is cancelled.
    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer
    /// True if requests without a policy may go through a proxy.
    var usesProxy: Bool { get }
}

extension Transport {
    package var usesProxy: Bool { false }
}

/// An answer whose body is still to be read. Releasing it ends the exchange.
package struct TransferAnswer: Sendable {
    package let head: TransferHead
    package let body: ResponseBody

    package init(_ head: TransferHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// The source of a body's bytes.
package protocol BodySource: Sendable {
    /// The next bytes, never empty; `nil` at the end. Between calls the server has to wait.
    func next() async throws(TransferError) -> [UInt8]?
    /// Ends the exchange; ``next()`` is not called again.
    func cancel()
}

/// The body of an answer, read once, piece by piece.
package final class ResponseBody: Sendable {
    private let source: any BodySource

    package init(_ source: any BodySource) {
        self.source = source
    }

    deinit { source.cancel() }

    /// The next bytes, as they come; `nil` at the end. What the server sends waits until it is asked for.
    package func next() async throws(TransferError) -> [UInt8]? {
        try await source.next()
    }

    /// Everything up to the end, within the limits of the request.
    package func collect() async throws(TransferError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await next() { bytes += more }
        return bytes
    }

    /// Ends the exchange now.
    package func cancel() { source.cancel() }
}

/// The beginning of an answer: everything but its body.
package struct TransferHead: Equatable, Sendable {
    package var status: Int
    /// In the order they came; surrounding white space is gone.
    package var fields: [TransferField]
    /// The address that the answer came from, redirects followed.
    package var url: TransferURL

    package init(status: Int, fields: [TransferField], url: TransferURL) {
        self.status = status
        self.fields = fields
        self.url = url
    }

    /// The value of the first field of that name. Case does not matter.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.hasSameLetters(as: name) }?.value
    }

    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.hasSameLetters(as: name) }.map(\.value)
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// `nil` when it is absent or weak.
    package var strongEntityTag: String? { self["ETag"].flatMap(DownloadState.strong) }

    /// `nil` when it is absent, or no number.
    package var contentLength: Int? { self["Content-Length"].flatMap(TransferHead.wholeNumber) }

    /// Digits and nothing else.
    static func wholeNumber(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension String {
    /// True if both are the same except for the case of ASCII letters.
    func hasSameLetters(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { first, second in
            first == second || (first | 0x20 == second | 0x20 && (0x61...0x7A).contains(first | 0x20))
        }
    }
}

/// Decides which addresses a request may be sent to.
package protocol TransferPolicy: Sendable {
    /// Called for the request's own address, and for each that a server redirects it to.
    func allows(_ url: TransferURL) -> Bool
    /// Called for each address that a name leads to before it is connected to, and before a request is sent over an
    /// established connection.
    func allows(_ address: IPAddress, port: UInt16) -> Bool
}
