/// Events that every widget has.
extension ModifiableWidget {
    private func onElement(_ event: String, _ actions: [WidgetAction]) -> Modified { modified.on(event, actions) }

    /// The widget has come on the screen: with it, with a condition, or with its item.
    public func onAppear(_ actions: WidgetAction...) -> Modified { onElement("appear", actions) }

    /// Calls a closure when the widget has come on the screen.
    public func onAppear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onElement("appear", [.run(file: file, line: line, handler)]) }

    /// The widget has come on the screen for the first time.
    public func onAppearOnce(_ actions: WidgetAction...) -> Modified { onElement("appearOnce", actions) }

    /// Calls a closure when the widget has come on the screen for the first time.
    public func onAppearOnce(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onElement("appearOnce", [.run(file: file, line: line, handler)]) }

    /// The widget has gone, or its screen is about to close.
    public func onDisappear(_ actions: WidgetAction...) -> Modified { onElement("disappear", actions) }

    /// Calls a closure when the widget has gone, or its screen is about to close.
    public func onDisappear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onElement("disappear", [.run(file: file, line: line, handler)]) }

    /// The screen is about to close. A screen in front of it does not count.
    public func onViewWillDisappear(_ actions: WidgetAction...) -> Modified { onElement("disappear", actions) }

    /// Calls a closure when the screen is about to close.
    public func onViewWillDisappear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onElement("disappear", [.run(file: file, line: line, handler)]) }

    /// The same as `onViewWillDisappear`: a screen without animation has gone when it is about to.
    public func onViewDidDisappear(_ actions: WidgetAction...) -> Modified { onElement("disappear", actions) }

    /// Calls a closure when the screen is about to close, as `onViewWillDisappear` does.
    public func onViewDidDisappear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onElement("disappear", [.run(file: file, line: line, handler)]) }

    /// A value has become another one. Items of a list have no such event: watch the list.
    ///
    /// - Parameter initial: true if the first value counts as a change.
    public func onEvent<Source: Changing>(
        _ value: Source, initial: Bool = false, _ actions: WidgetAction...
    ) -> Modified { onChange(value.operand, initial, actions) }

    /// A value has become another one, which the closure gets.
    ///
    /// - Parameter initial: true if the first value counts as a change.
    public func onEvent<Source: Changing>(
        _ value: Source, initial: Bool = false, file: String = #filePath, line: Int = #line,
        handler: @escaping (WidgetContext, Source.Value) -> Void
    ) -> Modified where Source.Value: Decodable { onChange(value.operand, initial, [.taking(file, line, handler)]) }

    private func onChange(_ value: Operand, _ initial: Bool, _ actions: [WidgetAction]) -> Modified {
        var copy = modified
        copy.element.changes.append(ValueChange(value: value, isInitial: initial, actions: actions))
        return copy
    }

    // MARK: - Names that have no meaning here

    /// A swipe to the left, which hosts do not have.
    @available(*, unavailable, message: "pages and terminals have no swipes: use a button, or onDelete of a cell")
    public func onSwipeLeft(_ handler: @escaping (WidgetContext) -> Void) -> Modified { modified }

    /// A swipe to the right, which hosts do not have.
    @available(*, unavailable, message: "pages and terminals have no swipes: use a button, or onDelete of a cell")
    public func onSwipeRight(_ handler: @escaping (WidgetContext) -> Void) -> Modified { modified }

    /// A view of an app, which widgets do not have.
    @available(*, unavailable, message: "a widget has no view of an app behind it: use NativeWidget to draw one")
    public func with(_ block: @escaping (Any, WidgetContext) -> Void) -> Modified { modified }

    /// The reaction to touches, which only controls turn off.
    @available(*, unavailable, message: "a widget that does not react has no events; controls have enabled(false)")
    public func userInteractionEnabled(_ isEnabled: Bool) -> Modified { modified }

    /// The safe area, in which every screen lies.
    @available(*, unavailable, message: "a screen always lies within the safe area")
    public func safeArea(_ isSafe: Bool) -> Modified { modified }
}

/// A value whose changes a widget watches.
package struct ValueChange {
    let value: Operand
    let isInitial: Bool
    let actions: [WidgetAction]
}
