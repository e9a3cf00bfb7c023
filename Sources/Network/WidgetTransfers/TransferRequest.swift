package import WidgetFiles

package enum TransferMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"

    /// True if two requests have the effect of one (RFC 9110 §9.2.2).
    var isIdempotent: Bool { self != .post && self != .patch }
}

/// One thing to ask of a server.
package struct TransferRequest: Sendable {
    package var method: TransferMethod
    package var url: TransferURL
    /// Fields besides those that follow from the rest. A field that cannot be sent as it is, is refused.
    package var fields: [TransferField]
    /// Fields that identify the sender, such as a session's. They take the place of ``fields`` of their names, and are not
    /// sent to any origin but that of `url`: not even those with harmless names.
    package var confidentialFields: [TransferField] = []
    package var body: TransferBody?
    /// A bearer token for the origin of `url`; it is not sent to any other.
    package var token: String?
    /// True if the body waits for the server's `100 Continue`.
    package var expectsContinue = false
    /// True if the answer may be compressed; it is delivered expanded.
    package var acceptsCompression = true
    /// True if the same request may be sent again: after a lost answer, and when a server says that it is busy. Other
    /// requests are sent once. Follows from the method unless it is set.
    package var isRepeatable: Bool {
        get { promisedRepeatable ?? method.isIdempotent }
        set { promisedRepeatable = newValue }
    }
    private var promisedRepeatable: Bool?
    package var limits = TransferLimits()
    package var retries = RetryPolicy()
    /// False if an answer that leads elsewhere is an answer.
    package var followsRedirects = true
    /// True if redirects may lead to another origin than that of `url`; see ``TransferURL/isAtHome(_:)``.
    package var followsElsewhere = true
    /// True for content whose bytes the caller compares with a digest: without ``followsElsewhere``, redirects may then
    /// lead to another public server, as ``Detour`` says, and entity tags of another origin are not compared.
    package var hasProvenContent = false
    /// The policy that has to allow each address before it is connected to; `nil` allows all. With a policy, no proxy is
    /// used, because a proxy looks names up itself.
    package var policy: (any TransferPolicy)?
    /// Called on the transfer thread with the progress of sending the body.
    package var uploadProgress: (@Sendable (TransferProgress) -> Void)?

    package init(
        _ method: TransferMethod = .get, _ url: TransferURL, fields: [TransferField] = [], body: TransferBody? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// The fields as they are sent.
    package var sentFields: [TransferField] {
        let names = Set(confidentialFields.map { TransferField.plain($0.name) })
        return fields.filter { !names.contains(TransferField.plain($0.name)) } + confidentialFields
    }
}

/// A header field.
package struct TransferField: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// A name as servers compare it. Many read an underscore as a hyphen.
    package static func plain(_ name: String) -> String { name.lowercased().replacing("_", with: "-") }
}

/// The progress of sending or receiving a body.
package struct TransferProgress: Equatable, Sendable {
    package var done: Int
    /// `nil` while it is unknown.
    package var total: Int?

    package init(done: Int, total: Int?) {
        self.done = done
        self.total = total
    }
}

/// The body of a request. It can be sent again from its start.
package enum TransferBody: Sendable {
    case bytes([UInt8])
    case file(FileRegion)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let region): region.byteCount
        }
    }
}

/// Part of an open file, which stays open while it is referred to.
package struct FileRegion: Sendable {
    package let file: SharedFile
    package let offset: Int
    package let byteCount: Int

    /// - Precondition: none; a region that the file does not have is met as the end of the file, and refused then.
    package init(_ file: SharedFile, offset: Int = 0, byteCount: Int) {
        self.file = file
        self.offset = max(0, offset)
        self.byteCount = max(0, byteCount)
    }
}

/// An open file with more than one owner.
package final class SharedFile: Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
