internal import WidgetBytes
package import WidgetPlist

/// The reason why a compiled model was refused.
package struct ModelError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The archive or property list itself is at fault, or a value in it.
        case archive(PlistError)
        case notAModel(className: String?)
        case nameMissing(className: String)
        case duplicateEntity(String)
        case duplicateProperty(String, entity: String)
        case unknownSuperentity(String, entity: String)
        case inheritanceCycle(String)
        case unknownDeleteRule(Int64)
        /// More values than `ModelLimits.valueCount`; a value counts each time it is referred to.
        case tooManyValues(limit: Int)
        case predicateTooLarge
        case noVersion
        case noCurrentVersion(names: [String])
        case missingVersion(String)
    }

    package var reason: Reason
    /// The file in the model's folder, when there are several.
    package var file: String?

    package init(_ reason: Reason, file: String? = nil) {
        (self.reason, self.file) = (reason, file)
    }
}

extension ModelError: CustomStringConvertible {
    package var description: String { file.map { "\(ShownText.name($0)): \(reason)" } ?? "\(reason)" }
}

extension ModelError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .archive(let error): "\(error)"
        case .notAModel(let name?): "the archive holds an object of class \(ShownText.name(name)), not a model"
        case .notAModel(nil): "the archive holds no object, and so no model"
        case .nameMissing(let className): "an object of class \(ShownText.name(className)) has no name"
        case .duplicateEntity(let name): "the entity \(ShownText.name(name)) occurs twice"
        case .duplicateProperty(let name, let entity):
            "the entity \(ShownText.name(entity)) has the property \(ShownText.name(name)) twice"
        case .unknownSuperentity(let name, let entity):
            "the entity \(ShownText.name(entity)) inherits from \(ShownText.name(name)), which the model lacks"
        case .inheritanceCycle(let name): "the entity \(ShownText.name(name)) inherits from itself"
        case .unknownDeleteRule(let number): "the delete rule \(number) is unknown"
        case .tooManyValues(let limit): "the model unfolds to more than \(limit) values"
        case .predicateTooLarge: "a predicate is nested too deeply or too large"
        case .noVersion: "the model has no version: there is no .mom file"
        case .noCurrentVersion(let names):
            "VersionInfo.plist does not say which of \(names.map(ShownText.name).joined(separator: ", ")) is current"
        case .missingVersion(let name): "the current version \(ShownText.name(name)) is not among the model's files"
        }
    }
}

/// Limits on models.
package struct ModelLimits: Equatable, Sendable {
    package var plist: PlistLimits
    /// Elements of collections met while reading. Many places can refer to one object, so the file's size is no bound.
    package var valueCount: Int
    /// The depth of nested expressions and predicates, and the bytes of one predicate's text.
    package var predicateDepth: Int
    package var predicateByteCount: Int
    /// Unknown keys that are listed for people; further ones are not.
    package var unknownKeyCount: Int

    package init(
        plist: PlistLimits = PlistLimits(), valueCount: Int = 100_000, predicateDepth: Int = 48,
        predicateByteCount: Int = 64 << 10, unknownKeyCount: Int = 256
    ) {
        (self.plist, self.valueCount) = (plist, valueCount)
        (self.predicateDepth, self.predicateByteCount) = (min(predicateDepth, 128), predicateByteCount)
        self.unknownKeyCount = unknownKeyCount
    }
}
