internal import JSONText
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetFindings

/// Reads one service description, for declarations that no host may act on.
struct ServiceScan {
    var sheet: FindingSheet
    /// The offsets of texts that were judged as addresses.
    private var judged: Set<Int> = []

    init(sheet: FindingSheet) {
        self.sheet = sheet
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
                    addressForClasses(value)
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

    /// Judges an address that the framework only hands on, to the classes of an application that sign its user in. It may lead
    /// back to the application, through a scheme that only the application knows.
    private mutating func addressForClasses(_ value: JSONItem) {
        guard let text = value.string else { return }
        guard LooseAddress(text).map({ ServiceAddress.isOfApp($0.scheme) }) == true else { return address(value) }
        judged.insert(value.span.offset)
    }
}

/// The address of a service in a description, judged by its scheme.
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

    /// True for the scheme of an address that leads to an application: neither to a web service, nor to what is in the address
    /// itself or on the device.
    static func isOfApp(_ scheme: String) -> Bool {
        !["http", "https", "ws", "wss"].contains(scheme) && !ownSchemes.contains(scheme)
    }

    /// Returns the scheme of a text that is an address without a web service. A word with a colon, such as `data: 5`, is
    /// none.
    static func ownScheme(of text: String) -> String? {
        guard let address = LooseAddress(text), address.scheme != "about", ownSchemes.contains(address.scheme),
            let next = address.rest.first, next != 0x20
        else { return nil }
        return address.scheme
    }

    /// - Parameter schemes: the schemes that the address may have. Without a scheme it is a path, relative to the base address.
    static func faults(in text: String, schemes: Set<String> = ["http", "https"]) -> [Fault] {
        guard let address = LooseAddress(text) else { return [] }
        guard schemes.contains(address.scheme) else {
            return [
                Fault(
                    code: .serviceURL, offset: 0,
                    detail: "\(ShownText.quoted(address.scheme + ":")) is not the address of a web service")
            ]
        }
        guard let credentials = address.credentials else { return [] }
        return [
            Fault(
                code: .urlCredentials, offset: credentials, detail: "a bundle is public, and so are these credentials")
        ]
    }
}
