internal import JSONText

/// Actions that show other screens.
extension WidgetAction {
    /// Shows a screen, from which a button leads back.
    ///
    /// - Parameter result: actions when the screen returns a value.
    public static func push(
        _ screen: @autoclosure @escaping () -> any Widget, result: WidgetAction...
    ) -> WidgetAction { show("push", nil, result) { _ in screen() } }

    /// Shows a screen in front of this one.
    public static func present(
        _ screen: @autoclosure @escaping () -> any Widget, result: WidgetAction...
    ) -> WidgetAction { show("present", nil, result) { _ in screen() } }

    /// Shows a screen that gets a value, such as the item of a row.
    public static func push<Value: Changing>(
        with value: Value, result: WidgetAction..., screen: @escaping (Reading<Value.Value>) -> any Widget
    ) -> WidgetAction { show("push", value.operand, result) { screen(Reading($0)) } }

    /// Shows a screen in front of this one that gets a value.
    public static func present<Value: Changing>(
        with value: Value, result: WidgetAction..., screen: @escaping (Reading<Value.Value>) -> any Widget
    ) -> WidgetAction { show("present", value.operand, result) { screen(Reading($0)) } }

    private static func show(
        _ name: String, _ value: Operand?, _ result: [WidgetAction], _ screen: @escaping (Operand) -> any Widget
    ) -> WidgetAction {
        WidgetAction(
            .data { writer in
                let (scene, parameter) = writer.screen(value, screen)
                var members: [(String, JSONValue)] = [("do", .text(name)), ("scene", .text(scene))]
                if let value, let parameter {
                    members.append(("with", .record([(parameter, writer.json(value))])))
                }
                if !result.isEmpty { members.append(("result", writer.actions(result, "result"))) }
                return .record(members)
            })
    }
}
