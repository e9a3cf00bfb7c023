/// A button.
public struct ButtonWidget: StyledWidget, TextStyled, Tappable, ControlWidget {
    public enum Role: String, Sendable {
        case plain, prominent, destructive, cancel
        /// Sends the form around it.
        case submit
    }

    public var element = WidgetElement.kind("button")

    public init(_ text: TextValue) { self = self.text(text) }

    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String { self = self.text(text) }

    public init(image name: String) { self = payload("image", .literal(name)) }

    public func text(_ text: TextValue) -> Self { payload("text", text.operand) }

    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String { payload("text", text.operand) }

    public func image(_ name: TextValue) -> Self { payload("image", name.operand) }

    public func role(_ role: Role) -> Self { payload("role", .literal(role.rawValue)) }

    public func selected<Truth: Readable>(_ selected: Truth) -> Self where Truth.Value == Bool {
        payload("selected", selected.operand)
    }

    /// True while its work is in progress, when it cannot be tapped.
    public func busy<Truth: Readable>(_ busy: Truth) -> Self where Truth.Value == Bool {
        payload("busy", busy.operand)
    }
}

/// A field for a text.
public struct TextFieldWidget: StyledWidget, TextStyled, FormField {
    /// The meaning of its text, by which hosts complete it.
    public enum Content: String, Sendable {
        case name, givenName, familyName, nickname, organization, street, city, postalCode, country
        case telephone, email, url, username, password, newPassword, oneTimeCode, creditCard
    }

    public enum Capitalization: String, Sendable {
        case none, words, sentences, all
    }

    public enum ReturnKey: String, Sendable {
        case standard, go, next, search, send, done
    }

    public enum Keyboard: String, Sendable {
        case standard, email, url, number, decimal, phone, search
    }

    public var element = WidgetElement.kind("textfield")

    /// A field whose text is its alone.
    public init(_ text: String = "") {
        if !text.isEmpty { self = payload("value", .literal(text)) }
    }

    public init(_ text: Binding<String>) { self = payload("value", text.operand) }

    public init(_ text: Binding<String?>) { self = payload("value", text.operand) }

    /// A field for a member of an item, in a row of a list that is a state.
    public init(_ text: Reading<String>) { self = payload("value", text.operand) }

    public func placeholder(_ text: TextValue) -> Self { payload("placeholder", text.operand) }

    public func secureTextEntry(_ isSecure: Bool = true) -> Self { payload("secure", .literal(isSecure)) }

    public func keyboard(_ keyboard: Keyboard) -> Self { payload("keyboard", .literal(keyboard.rawValue)) }

    public func content(_ content: Content) -> Self { payload("content", .literal(content.rawValue)) }

    public func capitalization(_ letters: Capitalization) -> Self {
        payload("capitalization", .literal(letters.rawValue))
    }

    public func correction(_ corrects: Bool) -> Self { payload("correction", .literal(corrects)) }

    public func returnKey(_ key: ReturnKey) -> Self { payload("returnKey", .literal(key.rawValue)) }

    /// The regular expression that its whole text has to match before its form is sent.
    public func pattern(_ expression: String) -> Self { payload("pattern", .literal(expression)) }

    public func multiline(_ isMultiline: Bool = true) -> Self { payload("multiline", .literal(isMultiline)) }

    public func onChange(_ actions: WidgetAction...) -> Self { on("change", actions) }

    public func onChange(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext, String) -> Void
    ) -> Self { on("change", [.taking(file, line, handler)]) }

    public func onEditingDidBegin(_ actions: WidgetAction...) -> Self { on("begin", actions) }

    public func onEditingDidBegin(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("begin", [.run(file: file, line: line, handler)]) }

    public func onEditingDidEnd(_ actions: WidgetAction...) -> Self { on("end", actions) }

    public func onEditingDidEnd(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("end", [.run(file: file, line: line, handler)]) }

    public func onEditingDidEndOnExit(_ actions: WidgetAction...) -> Self { on("submit", actions) }

    public func onEditingDidEndOnExit(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("submit", [.run(file: file, line: line, handler)]) }
}

/// A switch.
public struct SwitchWidget: StyledWidget, FormField {
    public var element = WidgetElement.kind("switch")

    /// A switch whose value is its alone, as in a form.
    public init(_ label: TextValue) { self = payload("label", label.operand) }

    public init(_ label: TextValue? = nil, isOn: Binding<Bool>) {
        self = payload("value", isOn.operand)
        if let label { self = payload("label", label.operand) }
    }

    /// A switch for a member of an item, in a row of a list that is a state.
    public init(_ label: TextValue? = nil, isOn: Reading<Bool>) {
        self = payload("value", isOn.operand)
        if let label { self = payload("label", label.operand) }
    }

    public func onChange(_ actions: WidgetAction...) -> Self { on("change", actions) }

    public func onChange(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext, Bool) -> Void
    ) -> Self { on("change", [.taking(file, line, handler)]) }
}

/// A title that shows and hides the widgets below it.
public struct DisclosableWidget: StyledWidget {
    public var element: WidgetElement

    public init(_ title: TextValue, @WidgetBuilder _ widgets: () -> [any Widget]) {
        element = .kind("disclosure", widgets())
        self = payload("title", title.operand)
    }

    public func expanded(_ expanded: Binding<Bool>) -> Self { payload("expanded", expanded.operand) }
}
