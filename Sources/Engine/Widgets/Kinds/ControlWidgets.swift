/// A button.
public struct ButtonWidget: StyledWidget, TextStyled, Tappable, ControlWidget {
    /// The purpose of a button, which decides its looks.
    public enum Role: String, Sendable {
        /// A purpose: `plain`, `prominent` for the main action, `destructive` for a loss, or `cancel`.
        case plain, prominent, destructive, cancel
        /// Sends the form around it.
        case submit
    }

    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("button")

    /// A button with a title.
    public init(_ text: TextValue) { self = self.text(text) }

    /// A button whose title follows a value.
    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String { self = self.text(text) }

    /// A button with a picture of the bundle.
    public init(image name: String) { self = payload("image", .literal(name)) }

    /// Gives the button a title.
    public func text(_ text: TextValue) -> Self { payload("text", text.operand) }

    /// Gives the button a title that follows a value.
    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String { payload("text", text.operand) }

    /// Shows the picture of the bundle that has that name.
    public func image(_ name: TextValue) -> Self { payload("image", name.operand) }

    /// Gives the button a purpose, which decides its looks.
    public func role(_ role: Role) -> Self { payload("role", .literal(role.rawValue)) }

    /// Marks the button while its choice is the present one.
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
        /// A part of a name or of an address.
        case name, givenName, familyName, nickname, organization, street, city, postalCode, country
        /// A way to reach a person, a part of a login, or the number of a card.
        case telephone, email, url, username, password, newPassword, oneTimeCode, creditCard
    }

    /// The letters that are typed as capitals.
    public enum Capitalization: String, Sendable {
        /// A choice of letters: none, the first of each word, the first of each sentence, or all.
        case none, words, sentences, all
    }

    /// The name of the return key, which says what it does.
    public enum ReturnKey: String, Sendable {
        /// A name; `standard` is that of the host.
        case standard, go, next, search, send, done
    }

    /// The keys that a host offers.
    public enum Keyboard: String, Sendable {
        /// A set of keys: `standard`, or one for an address, a number, a telephone number or a search.
        case standard, email, url, number, decimal, phone, search
    }

    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("textfield")

    /// A field whose text is its alone.
    public init(_ text: String = "") {
        if !text.isEmpty { self = payload("value", .literal(text)) }
    }

    /// A field whose text is a state: `TextFieldWidget($name)`.
    public init(_ text: Binding<String>) { self = payload("value", text.operand) }

    /// A field whose text is a state that may be missing.
    public init(_ text: Binding<String?>) { self = payload("value", text.operand) }

    /// A field for a member of an item, in a row of a list that is a state.
    public init(_ text: Reading<String>) { self = payload("value", text.operand) }

    /// Shows a text while the field is empty.
    public func placeholder(_ text: TextValue) -> Self { payload("placeholder", text.operand) }

    /// Hides the text, for passwords.
    public func secureTextEntry(_ isSecure: Bool = true) -> Self { payload("secure", .literal(isSecure)) }

    /// Chooses the keys that a host offers.
    public func keyboard(_ keyboard: Keyboard) -> Self { payload("keyboard", .literal(keyboard.rawValue)) }

    /// Gives the text a meaning, such as `.email`, by which hosts complete it.
    public func content(_ content: Content) -> Self { payload("content", .literal(content.rawValue)) }

    /// Chooses the letters that are typed as capitals; by default the first of each sentence.
    public func capitalization(_ letters: Capitalization) -> Self {
        payload("capitalization", .literal(letters.rawValue))
    }

    /// Turns the correction of slips on or off. The host decides if it is left out.
    public func correction(_ corrects: Bool) -> Self { payload("correction", .literal(corrects)) }

    /// Chooses the name of the return key.
    public func returnKey(_ key: ReturnKey) -> Self { payload("returnKey", .literal(key.rawValue)) }

    /// The regular expression that its whole text has to match before its form is sent.
    public func pattern(_ expression: String) -> Self { payload("pattern", .literal(expression)) }

    /// Allows several lines.
    public func multiline(_ isMultiline: Bool = true) -> Self { payload("multiline", .literal(isMultiline)) }

    /// Takes actions when the text has changed. `setArgument` gives a state the new text.
    public func onChange(_ actions: WidgetAction...) -> Self { on("change", actions) }

    /// Calls a closure with the new text when it has changed.
    public func onChange(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext, String) -> Void
    ) -> Self { on("change", [.taking(file, line, handler)]) }

    /// Takes actions when the reader begins to type.
    public func onEditingDidBegin(_ actions: WidgetAction...) -> Self { on("begin", actions) }

    /// Calls a closure when the reader begins to type.
    public func onEditingDidBegin(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("begin", [.run(file: file, line: line, handler)]) }

    /// Takes actions when the reader has ended typing, with the return key or elsewhere.
    public func onEditingDidEnd(_ actions: WidgetAction...) -> Self { on("end", actions) }

    /// Calls a closure when the reader has ended typing, with the return key or elsewhere.
    public func onEditingDidEnd(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("end", [.run(file: file, line: line, handler)]) }

    /// Takes actions when the return key is pressed, in place of sending the form.
    public func onEditingDidEndOnExit(_ actions: WidgetAction...) -> Self { on("submit", actions) }

    /// Calls a closure when the return key is pressed, in place of sending the form.
    public func onEditingDidEndOnExit(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("submit", [.run(file: file, line: line, handler)]) }
}

/// A switch.
public struct SwitchWidget: StyledWidget, FormField {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("switch")

    /// A switch whose value is its alone, as in a form.
    public init(_ label: TextValue) { self = payload("label", label.operand) }

    /// A switch whose value is a state: `SwitchWidget("News", isOn: $wantsNews)`.
    public init(_ label: TextValue? = nil, isOn: Binding<Bool>) {
        self = payload("value", isOn.operand)
        if let label { self = payload("label", label.operand) }
    }

    /// A switch for a member of an item, in a row of a list that is a state.
    public init(_ label: TextValue? = nil, isOn: Reading<Bool>) {
        self = payload("value", isOn.operand)
        if let label { self = payload("label", label.operand) }
    }

    /// Takes actions when the switch has been turned on or off.
    public func onChange(_ actions: WidgetAction...) -> Self { on("change", actions) }

    /// Calls a closure when the switch has been turned, with true if it is on.
    public func onChange(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext, Bool) -> Void
    ) -> Self { on("change", [.taking(file, line, handler)]) }
}

/// A title that shows and hides the widgets below it.
public struct DisclosableWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// A title, and the widgets that a tap of it shows and hides.
    public init(_ title: TextValue, @WidgetBuilder _ widgets: () -> [any Widget]) {
        element = .kind("disclosure", widgets())
        self = payload("title", title.operand)
    }

    /// Shows the widgets while a state is true; the state follows the taps.
    public func expanded(_ expanded: Binding<Bool>) -> Self { payload("expanded", expanded.operand) }
}
