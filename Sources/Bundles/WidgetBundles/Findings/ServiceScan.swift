internal import WidgetFindings
internal import JSONText
internal import WidgetAddresses
internal import WidgetBytes

/// Reads one service description.
struct ServiceScan {
    var sheet: FindingSheet
    /// The offsets of texts that were judged as addresses.
    private var judged: Set<Int> = []

    init(sheet: FindingSheet) {
        self.sheet = sheet
    }

    /// Returns the transformers that a description defines by naming them.
    static func dateTransformers(of service: JSONItem.Object) -> [String] {
        service["options"]?["transformers"]?["date"].members.map { $0.name } ?? []
    }

    mutating func read(_ service: JSONItem.Object) {
        if let defaults = service["defaults"]?.object {
            address(defaults["baseUrl"])
            address(defaults["url"])
            address(defaults["path"])
            address(defaults["socket"], schemes: ["http", "https", "ws", "wss"])
            readRequest(defaults)
        }
        for member in service["actions"].members where member.name != "***" {
            guard let action = member.value.object else { continue }
            address(action["path"])
            address(action["url"])
            readRequest(action)
            for assigned in action["set"].members {
                keyPath(assigned.name, at: assigned.nameSpan, .assigned)
            }
            for part in action["multipart"].members {
                if let text = part.value.string { keyPath(text, at: part.value.span, .readFromItem) }
            }
        }
        readTexts(of: service)
    }

    /// Reads all texts that have not been judged yet, except for comments and for the answers of a script.
    private mutating func readTexts(of service: JSONItem.Object) {
        // Values that wait, and whether they are part of an authorization.
        var pending = service.members.map { (member: $0, isAuthorization: $0.name == "auth") }
        while let (member, isAuthorization) = pending.popLast() {
            if member.name == "***" || member.name == "response" && !isAuthorization { continue }
            var values = [member.value]
            while let value = values.popLast() {
                if let object = value.object {
                    pending += object.members.map { ($0, isAuthorization) }
                } else if let list = value.array {
                    values += list
                } else if isAuthorization, member.name.lowercased().hasSuffix("url") {
                    addressForClasses(member.name, value)
                } else if let text = value.string, !judged.contains(value.span.offset),
                    let scheme = ServiceAddress.ownScheme(of: text)
                {
                    sheet.note(
                        .serviceURL, at: value.span, textOffset: 0,
                        "\(ShownText.quoted(scheme + ":")) is not the address of a web service")
                }
            }
        }
    }

    /// Reads the members that defaults and actions share.
    private mutating func readRequest(_ request: JSONItem.Object) {
        if let method = request["httpMethod"] { line(method.string, at: method.span, "a method's name") }
        for header in request["headers"].members where header.name != "***" {
            line(header.name, at: header.nameSpan, "a header's name")
            line(header.value.string, at: header.value.span, "a header's value")
        }
    }

    private mutating func line(_ text: String?, at span: JSONSpan, _ role: String) {
        guard let offset = text.flatMap({ Array($0.utf8).firstIndex { $0 == 0x0D || $0 == 0x0A || $0 == 0 } }) else {
            return
        }
        sheet.note(.lineBreak, at: span, textOffset: offset, "\(role) ends its line, so that another could follow")
    }

    private mutating func address(_ value: JSONItem?, schemes: Set<String> = ["http", "https"]) {
        guard let value, let text = value.string else { return }
        judged.insert(value.span.offset)
        for fault in ServiceAddress.faults(in: text, schemes: schemes) {
            sheet.note(fault.code, at: value.span, textOffset: fault.offset, fault.detail)
        }
    }

    /// Judges an address that the framework only hands on, to the classes of an application that sign its user in.
    ///
    /// Such an address may lead back to the application, through a scheme that only the application knows.
    private mutating func addressForClasses(_ name: String, _ value: JSONItem) {
        guard let text = value.string else { return }
        guard let scheme = ServiceAddress.appScheme(of: text) else { return address(value) }
        let name = name.lowercased()
        guard !["callback", "redirect"].contains(where: name.contains) else { return }
        sheet.note(
            .appAddress, at: value.span, textOffset: 0,
            "\(ShownText.quoted(scheme + ":")) leads to an application, not to a web service")
    }

    private mutating func keyPath(_ text: String, at span: JSONSpan, _ use: SchemeKeyPath.Use) {
        guard let exit = SchemeKeyPath.exit(of: text, use) else { return }
        sheet.note(
            .keyPath, at: span, textOffset: exit.offset,
            "\(ShownText.quoted(exit.component)) leaves the object of the path")
    }
}

/// The address of a service in a description, judged without any look-up of names.
enum ServiceAddress {
    struct Fault: Equatable {
        var code: Finding.Code
        var offset: Int
        var detail: String
    }

    /// Schemes that run or hold something themselves, or lead to the files of a device.
    private static let ownSchemes: Set<String> = [
        "javascript", "vbscript", "data", "blob", "file", "filesystem", "about",
    ]

    /// Returns the scheme of an address that leads to an application: neither to a web service, nor to what is in the
    /// address itself or on the device.
    static func appScheme(of text: String) -> String? {
        guard let scheme = scheme(of: stripped(text)), !["http", "https", "ws", "wss"].contains(scheme),
            !ownSchemes.contains(scheme)
        else { return nil }
        return scheme
    }

    /// Returns the scheme of a text that is an address without a web service. A word with a colon, such as `data: 5`, is
    /// none.
    static func ownScheme(of text: String) -> String? {
        let bytes = stripped(text)
        guard let scheme = scheme(of: bytes), scheme != "about", ownSchemes.contains(scheme),
            let next = bytes[(scheme.utf8.count + 1)...].first, next != 0x20
        else { return nil }
        return scheme
    }

    /// Returns the bytes that parsers of addresses read: they pass over white space before an address, and over tabs and
    /// line breaks in it.
    private static func stripped(_ text: String) -> [UInt8] {
        Array(text.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) })
    }

    /// - Parameter schemes: the schemes that the address may have.
    static func faults(in text: String, schemes: Set<String> = ["http", "https"]) -> [Fault] {
        let bytes = stripped(text)
        let skipped = text.utf8.prefix { $0 <= 0x20 }.count
        guard let scheme = scheme(of: bytes) else {
            // Without a scheme it is a path, relative to the base address.
            return []
        }
        guard schemes.contains(scheme) else {
            return [
                Fault(
                    code: .serviceURL, offset: 0,
                    detail: "\(ShownText.quoted(scheme + ":")) is not the address of a web service")
            ]
        }
        var faults: [Fault] = []
        if scheme == "http" || scheme == "ws" {
            faults.append(
                Fault(code: .plainHTTP, offset: 0, detail: "what is sent and received can be read and changed"))
        }
        // Parsers of addresses take backslashes for slashes, and any number of either.
        let start = bytes[(scheme.utf8.count + 1)...].firstIndex { $0 != 0x2F && $0 != 0x5C } ?? bytes.count
        let end = bytes[start...].firstIndex { [0x2F, 0x5C, 0x3F, 0x23].contains($0) } ?? bytes.count
        var hostStart = start
        if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) {
            faults.append(
                Fault(
                    code: .urlCredentials, offset: skipped + start,
                    detail: "a bundle is public, and so are these credentials"))
            hostStart = at + 1
        }
        let host = host(bytes[hostStart..<end])
        if isPrivate(host) {
            faults.append(
                Fault(
                    code: .privateAddress, offset: skipped + hostStart,
                    detail: "\(ShownText.quoted(host)) leads to the host's own device or network"))
        }
        return faults
    }

    /// Returns the text before the first colon, in lower case, if it can be a scheme (RFC 3986, section 3.1).
    private static func scheme(of bytes: [UInt8]) -> String? {
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < bytes.count, let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        // `host:8080/path` has no scheme.
        let rest = bytes[(scheme.count + 1)...]
        if let next = rest.first, (0x30...0x39).contains(next) { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// Returns the host without the port, and without the brackets of an IPv6 address.
    private static func host(_ authority: ArraySlice<UInt8>) -> String {
        if authority.first == UInt8(ascii: "[") {
            return String(decoding: authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
                .lowercased()
        }
        let host = String(decoding: authority.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static let privateSuffixes = [".localhost", ".local", ".internal", ".home.arpa"]

    private static let privateRanges = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.168.0.0/16", "::/128", "::1/128", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    private static func isPrivate(_ host: String) -> Bool {
        if host == "localhost" || privateSuffixes.contains(where: host.hasSuffix) { return true }
        guard let address = IPAddress(host) ?? looseV4(host) else { return false }
        return privateRanges.contains { $0.contains(address) }
    }

    /// Parses one to four numbers, decimal, octal or hexadecimal, of which the last fills the remaining bytes: `127.1`,
    /// `0x7f000001`.
    private static func looseV4(_ host: String) -> IPAddress? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var value: UInt64 = 0
        for (index, part) in parts.enumerated() {
            guard let number = number(part) else { return nil }
            let isLast = index == parts.count - 1
            let bits = isLast ? UInt64(32 - 8 * index) : 8
            guard number < 1 << bits else { return nil }
            value = value << bits | number
        }
        return IPAddress(high: 0, low: 0xFFFF_0000_0000 | value)
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count <= 16 else { return nil }
        if text.hasPrefix("0x") { return text.utf8.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
        if first == 0x30, text.utf8.count > 1 { return UInt64(text.dropFirst(), radix: 8) }
        return UInt64(text, radix: 10)
    }
}
