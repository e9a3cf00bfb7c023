internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// Pieces of the forms on pages of people who have signed in.
enum ManageForm {
    static let mediaType = "application/x-www-form-urlencoded"

    static func hidden(_ name: String, _ value: String, to html: inout HTMLWriter) {
        html.begin(.input) {
            $0.set(.type, "hidden")
            $0.set(.name, name)
            $0.set(.value, value)
        }
    }

    /// - Parameters:
    ///   - scope: distinguishes fields of the same name on a page.
    ///   - hint: a sentence below the field.
    ///   - isInvalid: true for a value that was refused, with the reason at the top of the page.
    static func field(
        _ name: String, _ label: String, _ value: String, _ type: String, scope: String = "", isRequired: Bool = false,
        hint: String? = nil, isInvalid: Bool = false, to html: inout HTMLWriter
    ) {
        let id = scope.isEmpty ? name : "\(scope)-\(name)"
        html.box(class: "field") { html in
            html.element(.label, text: label) { $0.set(.for, id) }
            html.begin(.input) {
                $0.set(.type, type)
                $0.set(.id, id)
                $0.set(.name, name)
                $0.set(.value, value)
                $0.set(.maxLength, type == "text" ? "500" : nil)
                $0.set(.autocomplete, "off")
                $0.set(.spellcheck, "false")
                $0.set(.required, if: isRequired)
                describe(id, hint, isInvalid, &$0)
            }
            if let hint { ManageForm.hint(hint, of: id, to: &html) }
        }
    }

    private static func describe(_ id: String, _ hint: String?, _ isInvalid: Bool, _ field: inout HTMLAttributes) {
        let places = [isInvalid ? RefusedTask.reasonID : nil, hint == nil ? nil : "\(id)-hint"].compactMap(\.self)
        field.set(.describedBy, places.isEmpty ? nil : places.joined(separator: " "))
        field.set(.isInvalid, isInvalid ? "true" : nil)
    }

    private static func hint(_ text: String, of id: String, to html: inout HTMLWriter) {
        html.element(.p, text: text) {
            $0.set(.id, "\(id)-hint")
            $0.set(.class, "small soft")
        }
    }

    /// A share of the hosts in per cent, which the script pairs with a slider.
    ///
    /// - Parameter value: as it was typed, or as ``percent(_:)`` writes it; empty for a share that is asked for.
    static func share(
        _ value: String, scope: String = "", isRequired: Bool = false, hint: String? = nil, isInvalid: Bool = false,
        to html: inout HTMLWriter
    ) {
        let id = scope.isEmpty ? "share" : "\(scope)-share"
        html.box(class: "field") { html in
            html.element(.label, text: "Share of hosts, in per cent") { $0.set(.for, id) }
            html.begin(.input) {
                $0.set(.type, "number")
                $0.set(.id, id)
                $0.set(.name, "share")
                $0.set(.min, "0")
                $0.set(.max, "100")
                $0.set(.step, "0.01")
                $0.set(.inputmode, "decimal")
                $0.set(.value, value)
                $0.set(.required, if: isRequired)
                $0.set(.dataPair, "range")
                describe(id, hint, isInvalid, &$0)
            }
            if let hint { ManageForm.hint(hint, of: id, to: &html) }
        }
    }

    static func check(
        _ name: String, _ label: String, value: String = "true", isChecked: Bool, scope: String = "",
        isRequired: Bool = false, to html: inout HTMLWriter
    ) {
        let id = "\(scope.isEmpty ? "" : "\(scope)-")\(name)-\(value)"
        html.box(class: "check") { html in
            html.begin(.input) {
                $0.set(.type, "checkbox")
                $0.set(.id, id)
                $0.set(.name, name)
                $0.set(.value, value)
                $0.set(.checked, if: isChecked)
                $0.set(.required, if: isRequired)
            }
            html.element(.label, text: label) { $0.set(.for, id) }
        }
    }

    /// - Parameter isRequired: true to begin with no choice.
    static func choice(
        _ name: String, _ label: String, _ values: [(value: String, label: String)], _ chosen: String?,
        scope: String = "", isRequired: Bool = false, isInvalid: Bool = false, to html: inout HTMLWriter
    ) {
        let id = scope.isEmpty ? name : "\(scope)-\(name)"
        html.box(class: "field") { html in
            html.element(.label, text: label) { $0.set(.for, id) }
            html.element(.select) {
                $0.set(.id, id)
                $0.set(.name, name)
                $0.set(.required, if: isRequired)
                describe(id, nil, isInvalid, &$0)
            } content: { html in
                if isRequired { html.element(.option, text: "Choose") { $0.set(.value, "") } }
                for (value, label) in values {
                    html.element(.option, text: label) {
                        $0.set(.value, value)
                        $0.set(.selected, if: value == chosen)
                    }
                }
            }
        }
    }

    /// A form of one button.
    static func button(
        _ action: String, _ label: String, _ fields: [(String, String)], method: String = "post",
        class name: String? = nil, to html: inout HTMLWriter
    ) {
        html.element(.form) {
            $0.set(.method, method)
            $0.set(.action, action)
        } content: { html in
            for (field, value) in fields { hidden(field, value, to: &html) }
            html.element(.button, text: label) { $0.set(.class, name) }
        }
    }

    // MARK: Values

    static func requireChannelName(_ name: String) throws(Problem) {
        guard !ChannelName.isName(name) else { return }
        throw ProblemCatalogue.problem(
            .malformedRequest, "\(ProblemCatalogue.quoted(name)) is not a channel's name: \(ChannelName.law)")
    }

    static func isShare(_ text: String) -> Bool { (try? basisPoints(text)) != nil }

    /// Basis points as a number field has them: `25`, `12.5`.
    static func percent(_ basisPoints: Int) -> String {
        GalleryText.percent(basisPoints).replacing(" %", with: "")
    }

    /// The basis points of a number of per cent with at most two digits behind the point.
    static func basisPoints(_ text: String) throws(Problem) -> Int {
        let parts = text.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        if (1...2).contains(parts.count), isNumber, parts[0].utf8.count <= 3,
            parts.count == 1 || parts[1].utf8.count <= 2,
            let whole = Int(parts[0])
        {
            let digits =
                parts.count == 2 ? String(parts[1]) + String(repeating: "0", count: 2 - parts[1].utf8.count) : "0"
            let points = whole * 100 + (Int(digits) ?? 0)
            if points <= Rollout.bucketCount { return points }
        }
        throw ProblemCatalogue.problem(
            .malformedRequest,
            "The share has to be a number of per cent from 0 to 100, such as 25 or 12.5, not \(ProblemCatalogue.quoted(String(text.prefix(40))))."
        )
    }
}
