internal import Bytes
internal import Plist

extension ModelReader {
    mutating func attribute(_ object: KeyedObject, named name: String) throws(ModelError) -> Attribute {
        note(object, except: .attribute)
        let type = AttributeType(number: try integer(object, "NSAttributeType") ?? 0)
        var attribute = Attribute(name: name, type: type)
        attribute.traits = try traits(object)
        attribute.valueClassName = try string(object, "NSAttributeValueClassName")
        attribute.valueTransformerName = try scalarText(object, "NSValueTransformerName")
        attribute.defaultValue = try defaultValue(object)
        let flags = try integer(object, "NSFlagsKey") ?? 0
        attribute.minimum = try number(object, "NSMinValueName")
        attribute.maximum = try number(object, "NSMaxValueName")
        attribute.allowsExternalStorage = flags & 4 != 0
        attribute.preservesValueInHistory = flags & 0x10 != 0
        attribute.isFileBackedFuture = flags & 0x20 != 0
        attribute.allowsCloudEncryption = try flag(object, "NSAllowsCloudEncryption")
        if let expression = try self.object(object, "NSDerivationExpression") {
            attribute.derivation = try expressionText(expression)
        }
        attribute.derivationFilter = try predicate(object, "NSFilteringPredicate")
        return attribute
    }

    mutating func traits(_ object: KeyedObject) throws(ModelError) -> PropertyTraits {
        var traits = PropertyTraits()
        traits.isOptional = try flag(object, "NSIsOptional")
        traits.isTransient = try flag(object, "NSIsTransient")
        traits.isIndexed = try flag(object, "NSIsIndexed")
        traits.isReadOnly = try flag(object, "NSIsReadOnly")
        traits.isIndexedBySpotlight = try flag(object, "NSIndexedBySpotlight")
        traits.isStoredInExternalRecord = try flag(object, "NSIsStoredInTruth")
        traits.userInfo = try userInfo(object)
        traits.renamingIdentifier = try string(object, "NSRenamingIdentifier")
        traits.versionHashModifier = try string(object, "NSVersionHashModifier")
        let predicates = try elements(object, "NSValidationPredicates")
        let warnings = try elements(object, "NSValidationWarnings")
        for (position, predicate) in predicates.enumerated() {
            let warning = position < warnings.count ? warnings[position].scalar : nil
            if let text = try predicateText(predicate) {
                traits.validations.append(Validation(predicate: text, warning: warning.flatMap(Self.warningText)))
            }
        }
        return traits
    }

    /// Warnings are texts or numbers of texts.
    private static func warningText(_ value: PlistValue) -> String? {
        if let text = value.string { return text == "$null" ? nil : text }
        return value.integer.map { "\($0)" }
    }

    /// Decimal numbers are objects of their own, kept as the text of their value.
    private mutating func defaultValue(_ owner: KeyedObject) throws(ModelError) -> PlistValue? {
        let value = try read { () throws(PlistError) in try owner.scalar("NSDefaultValue") }
        if let value { return value }
        if let object = try object(owner, "NSDefaultValue") {
            if let decimal = DecimalArchive.text(object) { return .string(decimal) }
            if let text = try string(object, "NS.relative") { return .string(text) }
            note("NSDefaultValue of class \(ShownText.name(object.className ?? "unknown"))")
        }
        return nil
    }

    private func number(_ object: KeyedObject, _ key: String) throws(ModelError) -> Double? {
        try read { () throws(PlistError) in try object.scalar(key) }?.double
    }

    /// Text, or nothing for what is no text: some writers store an empty object there.
    func scalarText(_ object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        try read { () throws(PlistError) in try object.scalar(key) }?.string
    }
}
