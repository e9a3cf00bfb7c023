internal import JSONText
internal import WidgetFindings

/// Reads the screens of one scheme file, for declarations that no host may act on. All else that they mean is judged by the
/// reader that makes a program of them.
struct SchemeScan {
    var sheet: FindingSheet

    mutating func read(_ screens: [JSONItem.Member]) {
        for screen in screens {
            for entry in screen.value["objects"].members {
                guard let object = entry.value.object else { continue }
                read(attributes: object["attrs"])
                for evaluation in object["evals"].members { read(binding: evaluation.value) }
            }
            for entry in screen.value["elements"].members {
                guard let element = entry.value.object else { continue }
                read(attributes: element["attrs"])
                guard let bindings = element["bindings"]?.array else { continue }
                for binding in bindings { read(binding: binding) }
            }
        }
    }

    private mutating func read(attributes: JSONItem?) {
        for attribute in attributes.members where attribute.name != "***" {
            let value = attribute.value
            switch attribute.name {
            case "predicateFormat", "filterFormat": predicate(value)
            case "resultChain", "resultChainTxt": chain(value, "name")
            case "resultChainArgs", "resultChainArgsTxt": chain(value, "argument")
            case "wx.addBinding": embeddedBinding(value)
            case "wx_imageUrl": address(value)
            default: continue
            }
        }
    }

    private mutating func read(binding: JSONItem) {
        guard let binding = binding.object else { return }
        if let value = binding["predicateFormat"] { predicate(value) }
        for key in ["format", "ifTrue", "ifFalse"] {
            guard let value = binding[key], let text = value.string else { continue }
            for fault in FormatText.faults(in: text) {
                sheet.note(.formatArgument, at: value.span, textOffset: fault.offset, fault.detail)
            }
        }
    }

    /// Reads a binding in an interface file's notation: the inside of an object, in a string. Faults inside are
    /// reported at the string.
    private mutating func embeddedBinding(_ value: JSONItem) {
        guard let text = value.string else { return }
        let bytes = Array("{\(text)}".utf8)
        do throws(JSONError) {
            let document = try JSONTable(parsing: bytes)
            var scan = SchemeScan(sheet: FindingSheet(path: sheet.path, document: document))
            scan.read(binding: document.root)
            for finding in scan.sheet.sorted() {
                sheet.note(finding.code, at: value.span, finding.message, hint: finding.hint)
            }
        } catch {
            // The framework logs such a text and drops it.
            return
        }
    }

    // MARK: - Strings

    private mutating func predicate(_ value: JSONItem) {
        guard let text = value.string else { return }
        for problem in PredicateReading.problems(in: text) {
            sheet.note(problem.code, at: value.span, textOffset: problem.offset, problem.detail, hint: problem.hint)
        }
    }

    private mutating func address(_ value: JSONItem) {
        guard let text = value.string else { return }
        for fault in ServiceAddress.faults(in: text) {
            sheet.note(fault.code, at: value.span, textOffset: fault.offset, fault.detail)
        }
    }

    private mutating func chain(_ value: JSONItem, _ role: String) {
        for (text, span, offset) in chainParts(of: value) {
            guard let exit = exitFromQuotation(text) else { continue }
            sheet.note(
                .resultChain, at: span, textOffset: offset + exit,
                "the \(role) would end the quotation it is put into")
        }
    }

    /// Returns the offset at which a text leaves its quotation. The framework writes
    /// `FUNCTION(SELF,'name','argument')`, so a quote ends the text, and a backslash at the end keeps it from ending.
    private func exitFromQuotation(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        if let quote = bytes.firstIndex(of: UInt8(ascii: "'")) { return quote }
        let backslashes = bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return backslashes.isMultiple(of: 2) ? nil : bytes.count - 1
    }

    /// Returns an array's strings, or one string's parts between vertical bars without surrounding blanks.
    private func chainParts(of value: JSONItem) -> [(text: String, span: JSONSpan, offset: Int)] {
        if let array = value.array {
            return array.compactMap { element in element.string.map { ($0, element.span, 0) } }
        }
        guard let text = value.string else { return [] }
        let blank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        return Array(text.utf8).split(separator: UInt8(ascii: "|")).map { part in
            let trimmed = part.drop(while: blank)
            let end = trimmed.lastIndex { !blank($0) }.map { $0 + 1 } ?? trimmed.startIndex
            return (
                String(decoding: trimmed[trimmed.startIndex..<end], as: UTF8.self), value.span, trimmed.startIndex
            )
        }
    }
}
