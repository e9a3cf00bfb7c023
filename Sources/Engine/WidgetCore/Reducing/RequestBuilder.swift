internal import WidgetPredicates

/// Makes a request of an action's description and its argument.
struct RequestBuilder {
    let action: ServiceAction
    let argument: Value
    let environment: PredicateEnvironment
    let budget: Budget
    var authorization: ServiceRequest.Header?

    /// The parts that did not fit into the request.
    private(set) var shortages: [String] = []
    /// The reason why the request cannot be written.
    private(set) var fault: String?
    /// The place of the parameters in the request; `nil` for one without.
    private let place: ParameterPlace?
    private let isOfDocument: Bool

    /// - Parameter isOfDocument: true for a request of a document, whose header may say that the body is JSON.
    init(
        action: ServiceAction, argument: Value, environment: PredicateEnvironment, budget: Budget,
        isOfDocument: Bool = false
    ) {
        self.action = action
        self.argument = argument
        self.environment = environment
        self.budget = budget
        self.isOfDocument = isOfDocument
        let isSent = action.hasParameters && (!action.isUpload || action.parameterPlace == .query)
        let isJSON = isOfDocument && action.parameterPlace == .body && action.hasJSONHeader
        place = isSent ? (isJSON ? .json : action.parameterPlace) : nil
    }

    /// The faults of a request of a document, which is not sent with one of them.
    func faults() -> RequestFaults {
        var faults = RequestFaults(argument, environment, isWriting: action.isWriting)
        faults.look(at: action.url, isAddress: true, keepsValues: false)
        for part in action.isUpload ? action.multipart.prefix(RequestBuilder.mostParts + 1) : [] {
            faults.look(atPart: part.keyPath)
        }
        guard let place else { return faults }
        for template in action.parameters.templates {
            faults.look(at: template, isAddress: false, keepsValues: place == .json)
        }
        return faults
    }

    mutating func request() -> ServiceRequest {
        var headers = action.headers.map {
            ServiceRequest.Header(name: $0.name, value: RequestBuilder.oneLine($0.value))
        }
        if let authorization {
            headers.removeAll { $0.name.lowercased() == authorization.name.lowercased() }
            headers.append(
                ServiceRequest.Header(name: authorization.name, value: RequestBuilder.oneLine(authorization.value)))
        }
        var body: [UInt8] = []
        var parts: [ServiceRequest.Part] = []
        if action.isUpload {
            parts = uploadParts()
            if action.multipart.isEmpty { body = RequestBuilder.bytes(of: argument) ?? [] }
        } else if let place, place != .query {
            body = place == .json ? json() : form()
            if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                let type = place == .json ? "application/json" : "application/x-www-form-urlencoded; charset=utf-8"
                headers.append(ServiceRequest.Header(name: "Content-Type", value: type))
            }
        }
        var request = ServiceRequest(method: action.method, url: address(), headers: headers, body: body, parts: parts)
        if action.isUpload, action.multipart.isEmpty { request.compression = RequestBuilder.compression(of: argument) }
        // Without a key these are not repeatable; the others are anyway.
        request.isKeyed = action.isKeyed && !request.isRepeatable
        return request
    }

    /// The parameters. Without an argument, their places stay as they are written.
    var parameters: Value { action.parameters.filled(from: argument.isNull ? nil : argument, environment: environment) }

    private mutating func address() -> String {
        var text = argument.isNull ? action.url.source : action.url.text(root: argument, environment: environment)
        if place == .query { text = RequestBuilder.adding(form(), to: text) }
        let shown = text.prefix(budget.addressLength)
        if shown.endIndex < text.endIndex {
            shortages.append("the address has more than \(budget.addressLength) characters")
        }
        return RequestBuilder.percentEncoded(String(shown)) { byte in
            RequestBuilder.isUnreserved(byte) || "!$&'()*+,;=:@/?#[]%".utf8.contains(byte)
        }
    }

    /// The address with the parameters behind those that it has already, and before a fragment.
    private static func adding(_ parameters: [UInt8], to address: String) -> String {
        guard !parameters.isEmpty else { return address }
        let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let main = parts[0]
        let separator = !main.contains("?") ? "?" : main.hasSuffix("?") || main.hasSuffix("&") ? "" : "&"
        let query = String(decoding: parameters, as: UTF8.self)
        return main + separator + query + (parts.count > 1 ? "#\(parts[1])" : "")
    }

    private mutating func form() -> [UInt8] {
        var form = FormText(budget)
        form.add(parameters)
        if form.isTooLong {
            shortages.append("the parameters have more than \(budget.requestByteCount) bytes")
        }
        if form.isTooDeep {
            shortages.append("the parameters lie more than \(budget.parameterDepth) deep in each other")
        }
        return Array(form.text.utf8.prefix(budget.requestByteCount))
    }

    private mutating func json() -> [UInt8] {
        let values = action.parameters.filled(
            from: argument.isNull ? nil : argument, environment: environment, keepsValues: true)
        let json = JSONParameters(values, budget)
        fault = json.fault
        return json.bytes
    }

    /// Parts of one upload, and their bytes together.
    static let mostParts = 100
    private static let mostPartBytes = 64 << 20

    private mutating func uploadParts() -> [ServiceRequest.Part] {
        var parts: [ServiceRequest.Part] = []
        var byteCount = 0
        for name in action.multipart {
            for part in self.parts(name) {
                byteCount += part.bytes.count
                guard parts.count < RequestBuilder.mostParts, byteCount <= RequestBuilder.mostPartBytes else {
                    fault = "an upload has \(RequestBuilder.mostParts) parts and 64 MiB at most"
                    return []
                }
                parts.append(part)
            }
        }
        return parts
    }

    /// The parts of one name: one for each item of a document's list.
    private func parts(_ part: (name: String, keyPath: String)) -> [ServiceRequest.Part] {
        let value = argument.member(at: part.keyPath.split(separator: ".").map(String.init))
        guard isOfDocument else { return self.part(part.name, value).map { [$0] } ?? [] }
        guard case .array(let elements) = value else { return file(part.name, value).map { [$0] } ?? [] }
        return elements.prefix(RequestBuilder.mostParts + 1).compactMap { file(part.name, $0) }
    }

    /// A part of a document: picked media, a file whose content is a text, or a text.
    private func file(_ name: String, _ value: Value) -> ServiceRequest.Part? {
        guard case .string(let text) = value.member("data"), let fileName = value.member("fileName").string else {
            return part(name, value)
        }
        return ServiceRequest.Part(
            name: name, bytes: Array(text.utf8), contentType: value.member("contentType").string, fileName: fileName)
    }

    private func part(_ name: String, _ value: Value) -> ServiceRequest.Part? {
        if value.isNull { return nil }
        guard let bytes = RequestBuilder.bytes(of: value) else {
            return ServiceRequest.Part(name: name, bytes: Array(value.shown.utf8))
        }
        var sent = ServiceRequest.Part(
            name: name, bytes: bytes, contentType: value.member("contentType").string,
            fileName: value.member("fileName").string)
        sent.compression = RequestBuilder.compression(of: value)
        return sent
    }

    /// The quality that a picked picture is compressed with.
    private static func compression(of value: Value) -> Double? {
        if let own = value.member(Media.compressionKey).number { return own }
        guard case .dictionary(let fields) = value, fields.values.count == 1, let only = fields.values.first else {
            return nil
        }
        return compression(of: only)
    }

    /// The bytes of picked media.
    static func bytes(of value: Value) -> [UInt8]? {
        if case .data(let bytes) = value { return bytes }
        if case .data(let bytes) = value.member("data") { return bytes }
        // An upload that has one field has nothing else to send.
        if case .dictionary(let fields) = value, fields.values.count == 1, let only = fields.values.first {
            return bytes(of: only)
        }
        return nil
    }

    /// The text with its line breaks replaced, because a header is one line.
    private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

    // MARK: - Encoding

    static func formEncoded(_ parameters: Value, _ budget: Budget = Budget()) -> String {
        var form = FormText(budget)
        form.add(parameters)
        return form.text
    }

    fileprivate static func encoded(_ text: String) -> String {
        percentEncoded(text) { isUnreserved($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func percentEncoded(_ text: String, _ stays: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if stays(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}

/// Parameters as a form has them: `key=value` sorted by keys; arrays as `key[]`, objects as `a[b]`.
///
/// Each nested value repeats the names of all around it, so the text ends at the limit of a body.
private struct FormText {
    private let budget: Budget
    private(set) var text = ""
    private var hasLeftOut = false
    private(set) var isTooDeep = false

    /// True if the text exceeds the limit of a body.
    var isTooLong: Bool { hasLeftOut || text.utf8.count > budget.requestByteCount }

    init(_ budget: Budget) {
        self.budget = budget
    }

    mutating func add(_ parameters: Value) {
        guard case .dictionary(let dictionary) = parameters else { return }
        for key in dictionary.keys.sorted() { add(key, dictionary[key] ?? .null, depth: 0) }
    }

    private mutating func add(_ key: String, _ value: Value, depth: Int) {
        let limit = budget.requestByteCount
        guard text.utf8.count < limit, key.utf8.count < limit else {
            hasLeftOut = true
            return
        }
        guard depth < budget.parameterDepth else {
            isTooDeep = true
            return
        }
        switch value {
        case .array(let elements), .set(let elements):
            let inner = "\(key)[]"
            for element in elements { add(inner, element, depth: depth + 1) }
        case .dictionary(let dictionary):
            for name in dictionary.keys.sorted() {
                if text.utf8.count >= limit {
                    hasLeftOut = true
                    break
                }
                add("\(key)[\(name)]", dictionary[name] ?? .null, depth: depth + 1)
            }
        default:
            text += "\(text.isEmpty ? "" : "&")\(RequestBuilder.encoded(key))=\(RequestBuilder.encoded(value.shown))"
        }
    }
}
