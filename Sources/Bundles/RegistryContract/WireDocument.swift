package import JSONText
internal import WidgetBundles
package import WidgetBytes

/// A value of documents: it is read, written and described.
package protocol WireValue: JSONDecodable, Sendable {
    static var schema: Schema { get }
    func write(to writer: inout JSONWriter)
}

/// A document of the contract, which has a name in the OpenAPI document.
package protocol WireDocument: WireValue {
    static var documentName: String { get }
    static var about: String { get }
    static var members: [Schema.Member] { get }
    /// A document of the kind, as JSON.
    static var exampleBytes: [UInt8] { get }
}

extension WireDocument {
    package static var schema: Schema { .document(documentName) }

    /// The whole document, ended with a newline.
    package var bytes: [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024)
        write(to: &writer)
        return writer.finish()
    }
}

/// A document that requests bring. A member that it does not have is refused, and its schema says so: a misspelt one
/// would otherwise be a setting that is not made.
package protocol WireRequest: WireObject, WireDocument {}

/// An object whose members are walked in their order. A reader, a writer and a describer walk it, so that a member's
/// name is written once.
package protocol WireObject: WireValue {
    /// The empty object that reading fills.
    init()
    static var example: Self { get }
    mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure)
    /// Throws if members that can be read make no sense together.
    func check(_ json: JSONCursor) throws(JSONError)
}

/// A visitor of an object's members.
package protocol MemberWalker {
    associatedtype Failure: Error

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value, isNeeded: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Failure)

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value?, isNull: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Failure)
}

extension MemberWalker {
    /// A member that is always there.
    mutating func member<Value: WireValue>(
        _ name: String, _ value: inout Value, as schema: @autoclosure () -> Schema = Value.schema,
        _ about: String? = nil
    ) throws(Failure) {
        try visit(name, &value, isNeeded: true, schema, about)
    }

    /// A member that is always written, and that clients can do without.
    mutating func unneeded<Value: WireValue>(
        _ name: String, _ value: inout Value, as schema: @autoclosure () -> Schema = Value.schema,
        _ about: String? = nil
    ) throws(Failure) {
        try visit(name, &value, isNeeded: false, schema, about)
    }

    /// A member that is left out when it has no value.
    mutating func optional<Value: WireValue>(
        _ name: String, _ value: inout Value?, as schema: @autoclosure () -> Schema = Value.schema,
        _ about: String? = nil
    ) throws(Failure) {
        try visit(name, &value, isNull: false, schema, about)
    }

    /// A member that is `null` when it has no value.
    mutating func nullable<Value: WireValue>(
        _ name: String, _ value: inout Value?, as schema: @autoclosure () -> Schema = Value.schema,
        _ about: String? = nil
    ) throws(Failure) {
        try visit(name, &value, isNull: true, schema, about)
    }
}

extension WireObject {
    package static var schema: Schema { .object(members) }

    package static var members: [Schema.Member] {
        var describer = MemberDescriber()
        var object = example
        object.walk(&describer)
        return describer.members
    }

    package func check(_ json: JSONCursor) throws(JSONError) {}

    package init(json: JSONCursor) throws(JSONError) {
        self.init()
        var reader = MemberReader(json: json)
        try walk(&reader)
        try check(json)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in writeMembers(to: &writer) }
    }

    /// Writes the members alone, into an object that has others.
    package func writeMembers(to writer: inout JSONWriter) {
        var object = self
        var members = MemberWriter(taking: &writer)
        object.walk(&members)
        swap(&members.json, &writer)
    }
}

extension WireDocument where Self: WireObject {
    package static var schema: Schema { .document(documentName) }

    package static var exampleBytes: [UInt8] { example.bytes }
}

private struct MemberReader: MemberWalker {
    let json: JSONCursor

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value, isNeeded: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(JSONError) {
        if isNeeded { return value = try json.require(name) }
        // One of another kind, from a later version, does not make the document unreadable.
        if let found: Value = try? json.optional(name) { value = found }
    }

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value?, isNull: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(JSONError) {
        value = try json.optional(name)
    }
}

private struct MemberWriter: MemberWalker {
    var json: JSONWriter

    /// Takes the writer's bytes rather than a copy of them; the caller puts them back.
    init(taking writer: inout JSONWriter) {
        json = JSONWriter(reservingBytes: 0)
        swap(&json, &writer)
    }

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value, isNeeded: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Never) {
        json.key(name)
        value.write(to: &json)
    }

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value?, isNull: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Never) {
        if let value {
            json.key(name)
            value.write(to: &json)
        } else if isNull {
            json.key(name)
            json.null()
        }
    }
}

private struct MemberDescriber: MemberWalker {
    var members: [Schema.Member] = []

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value, isNeeded: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Never) {
        members.append(Schema.Member(name: name, schema: schema(), about: about, isOptional: false))
    }

    mutating func visit<Value: WireValue>(
        _ name: String, _ value: inout Value?, isNull: Bool, _ schema: () -> Schema, _ about: String?
    ) throws(Never) {
        let schema = schema()
        members.append(
            Schema.Member(name: name, schema: isNull ? .orNull(schema) : schema, about: about, isOptional: !isNull))
    }
}

// MARK: Values

extension String: WireValue {
    package static var schema: Schema { .text }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: WireValue {
    package static var schema: Schema { .boolean }
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension Int: WireValue {
    package static var schema: Schema { .count }
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Array: WireValue where Element: WireValue {
    package static var schema: Schema { .list(Element.schema) }

    package func write(to writer: inout JSONWriter) {
        writer.array { writer in for element in self { element.write(to: &writer) } }
    }
}

extension Digest: WireValue {
    package static var schema: Schema { .digest }
    package func write(to writer: inout JSONWriter) { writer.string(hex) }

    package init(json: JSONCursor) throws(JSONError) {
        guard let digest = Digest(hex: try String(json: json)) else {
            throw json.error(.unsuitable(expected: "a SHA-256 in 64 lower-case hexadecimal digits"))
        }
        self = digest
    }
}

/// A part of a document that the server keeps as JSON, and that few clients look into.
package struct Prewritten<Value: WireValue>: WireValue, Equatable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(json: JSONCursor) throws(JSONError) {
        var writer = JSONWriter()
        writer.value(json.value)
        bytes = writer.finish()
    }

    package static var schema: Schema { Value.schema }
    package func write(to writer: inout JSONWriter) { writer.finished(bytes) }

    /// The value that the bytes stand for.
    package func value(_ limits: JSONLimits) throws(JSONError) -> Value {
        try JSONDocument(parsing: bytes, limits: limits, root: .container).cursor.decode()
    }
}

/// The documents of the contract, in the order the OpenAPI document lists them.
package enum WireDocuments {
    package static let all: [any WireDocument.Type] = [
        ResolutionDocument.self, ReleaseCandidate.self, FileDocument.self, BundleDocument.self, ChannelDocument.self,
        ReleaseDocument.self, WithdrawalDocument.self, ExpiryDocument.self, WithdrawnReleaseDocument.self,
        DifferenceDocument.self, ChangeDocument.self,
        PageDocument<BundleDocument>.self, PageDocument<ChannelDocument>.self, PageDocument<ReleaseDocument>.self,
        PageDocument<FileDocument>.self, PageDocument<ChangeDocument>.self, ChannelSettingDocument.self,
        RollbackDocument.self, WithdrawDocument.self, BundleReport.self, TokenDocument.self, TokenRequestDocument.self,
        RevocationDocument.self, PageDocument<TokenDocument>.self, AuditDocument.self,
        PageDocument<AuditDocument>.self, OutcomeReportsDocument.self, OutcomeCountsDocument.self,
        WellKnownDocument.self, HealthDocument.self, ReadinessDocument.self,
        ProblemDocument.self,
    ]
}
