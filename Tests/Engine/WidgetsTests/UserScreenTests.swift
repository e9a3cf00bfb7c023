import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// Goal: screens are written as users of other libraries of widgets write them: models that are classes, lists of widgets,
/// closures that answer later. Method: three such screens from the public library alone, played from one to the next.
struct `Screens as their authors write them` {
    @Test func `sign in, list and show details with answers that come later`() throws {
        let desk = Desk()
        var run = try DeclaredRun(LoginFormWidget(model: LoginModel(desk)))
        #expect(run.text.contains("mara") && !run.text.contains("does not know you"))
        #expect(run.tap("Log in") != nil, "without a password")
        run.type("shut", into: "password")
        #expect(run.tap("Log in") == nil)
        #expect(run.text.contains("(Log in, disabled)"), "\(run.text)")
        run.answer(desk)
        #expect(run.text.contains("The lighthouse does not know you"), "\(run.text)")
        run.type("open", into: "password")
        #expect(run.tap("Log in") == nil)
        run.answer(desk)
        #expect(run.instance.store.screens.count == 2)
        #expect(run.text.contains("The lamp has to wait"), "\(run.text)")
        run.answer(desk)
        #expect(run.text.contains("Mara") && run.text.contains("Ines"), "\(run.text)")
        #expect(run.select(row: 1, of: "keepers") == nil)
        #expect(run.text.contains("(loading)") && !run.text.contains("Keeper Oskar"), "\(run.text)")
        run.answer(desk)
        #expect(run.text.contains("Keeper Oskar") && run.text.contains("south"), "\(run.text)")
        #expect(!run.text.contains("(loading)"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `fetch a list again when it is pulled, and rows keep their places`() throws {
        let desk = Desk()
        var run = try DeclaredRun(KeeperListWidget(model: KeeperListModel(desk)))
        run.answer(desk)
        #expect(run.text.contains("3"), "\(run.text)")
        let key = try #require(ElementSearch(run.instance.view()).key("keepers"))
        #expect(run.instance.send(.refresh(key)) == nil)
        run.answer(desk)
        #expect(run.text.contains("6"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `are known by what needs their program`() {
        let program = DeclaredProgram("com.example.Test", first: LoginFormWidget(model: LoginModel(Desk())))
        let reasons = program.declaration.handlers
        #expect(reasons.count == 1 && reasons.first?.file?.hasSuffix("UserScreens.swift") == true, "\(reasons)")
        #expect(program.faults.isEmpty, "\(program.faults)")
    }
}
