import Widgets

/// A desk that answers questions when the test says so.
final class Desk: @unchecked Sendable {
    private var waiting: [() -> Void] = []

    func ask(_ answer: @escaping () -> Void) { waiting.append(answer) }

    func answer() {
        let all = waiting
        waiting = []
        for answer in all { answer() }
    }
}

// MARK: - A form to sign in

final class LoginModel {
    @State var name = "mara"
    @State var password = ""
    @State var failure = ""
    @State var isBusy = false
    let desk: Desk

    init(_ desk: Desk) { self.desk = desk }

    func signIn(_ context: WidgetContext) {
        isBusy = true
        failure = ""
        desk.ask { [self] in
            isBusy = false
            guard password == "open" else { return failure = "The lighthouse does not know you" }
            password = ""
            context.navigator?.push(widget: KeeperListWidget(model: KeeperListModel(desk)))
        }
    }
}

struct LoginFormWidget: WidgetView {
    let model: LoginModel

    func widget(_ context: WidgetContext) -> any Widget {
        ZStackWidget([
            ImageWidget(named: "sea").contentMode(.scaleAspectFill).position(.fill),
            ScrollWidget(
                VStackWidget([
                    logo,
                    field("User", TextFieldWidget(model.$name).id("user")),
                    field("Password", TextFieldWidget(model.$password).secureTextEntry().id("password")),
                    LabelWidget(model.$failure).color(.red).hidden(model.$failure.isEmpty).id("failure"),
                    ButtonWidget("Log in")
                        .backgroundColor(WidgetColor(red: 0.2, green: 0.3, blue: 0.5, alpha: 0.8))
                        .font(.title2)
                        .color(.white)
                        .busy(model.$isBusy)
                        .enabled(!model.$password.isEmpty)
                        .padding(h: 30, v: 10)
                        .onTap { context in model.signIn(context) },
                    LabelWidget.footnote("Only keepers have a key.").alignment(.center),
                ])
                .spacing(20)
                .padding(h: 0, v: 50)
            )
            .position(.fill),
        ])
        .navigationBar(title: "Log in", hidden: true)
    }

    private var logo: any Widget {
        ContainerWidget(
            HStackWidget([
                ImageWidget(named: "lamp").height(100).width(100).contentMode(.scaleAspectFit),
                LabelWidget("Lighthouse").font(.title2).color(.white),
            ]))
    }

    private func field(_ title: String, _ field: TextFieldWidget) -> any Widget {
        ContainerWidget(
            VStackWidget([
                LabelWidget.footnote("\(title)"),
                field.font(.title2).color(.white).placeholder("\(title)"),
            ])
        )
        .backgroundColor(.black)
        .shadow(radius: 5)
        .padding(h: 30, v: 10)
    }
}

// MARK: - A list of users, which is fetched

struct Keeper: Codable, Identifiable, Sendable {
    var id: Int
    var name: String
    var nights: Int
}

final class KeeperListModel {
    @State var keepers: [Keeper] = []
    @State var isLoading = false
    let desk: Desk
    private var round = 0

    init(_ desk: Desk) { self.desk = desk }

    func reload() {
        isLoading = true
        desk.ask { [self] in
            round += 1
            keepers = ["Mara", "Oskar", "Ines"].enumerated().map {
                Keeper(id: $0.offset, name: $0.element, nights: round * ($0.offset + 1))
            }
            isLoading = false
        }
    }
}

struct KeeperListWidget: WidgetView {
    let model: KeeperListModel

    func widget(_ context: WidgetContext) -> any Widget {
        TableWidget([
            DynamicTableSectionWidget(model.$keepers, key: \.id) { keeper in
                TableCellWidget(keeper.name, value: "\(keeper.nights)").accessoryType(.disclosureIndicator)
            }
            .onSelect { context, keeper in
                context.navigator?.push(widget: AccountWidget(model: AccountModel(keeper, model.desk)))
            }
            .placeholder { LabelWidget("The lamp has to wait") }
        ])
        .onRefresh(isRefreshing: model.$isLoading, initialRefresh: true) { _ in model.reload() }
        .id("keepers")
        .navigationBar(title: "Keepers")
    }
}

// MARK: - Details that are loading

struct Detail: Codable, Sendable {
    var name: String
    var value: String
}

final class AccountModel {
    @State var title = ""
    @State var duties: [Detail] = []
    @State var isLoading = true
    let keeper: Keeper
    let desk: Desk

    init(_ keeper: Keeper, _ desk: Desk) {
        self.keeper = keeper
        self.desk = desk
    }

    func load() {
        desk.ask { [self] in
            title = "Keeper \(keeper.name)"
            duties = [
                Detail(name: "Nights", value: "\(keeper.nights)"),
                Detail(name: "Lamp", value: keeper.id == 0 ? "north" : "south"),
            ]
            isLoading = false
        }
    }
}

struct AccountWidget: WidgetView {
    let model: AccountModel

    func widget(_ context: WidgetContext) -> any Widget {
        ScrollWidget(
            VStackWidget([
                ContainerWidget(SpinnerWidget().color(.gray).label("Looking"))
                    .padding(15)
                    .hidden(model.$isLoading.map { !$0 }),
                VStackWidget([
                    LabelWidget(model.$title).alignment(.center).color(.red).font(.title1),
                    ContainerWidget(VStackWidget { ForEach(model.$duties, key: \.name) { row($0) } })
                        .padding(20)
                        .cornerRadius(20)
                        .backgroundColor(WidgetColor(white: 0.9, alpha: 0.6)),
                    LabelWidget("Nights are counted until the last log.").color(.gray).font(.footnote)
                        .numberOfLines(0).padding(h: 15, v: 0),
                ])
                .spacing(20)
                .hidden(model.$isLoading),
                SpacerWidget(),
            ])
            .spacing(15)
        )
        .padding(h: 30, v: 20)
        .navigationBar(title: "Account")
        .onViewDidAppear { _ in model.load() }
    }

    private func row(_ detail: Reading<Detail>) -> any Widget {
        HStackWidget([
            LabelWidget(detail.name).font(.body).color(.gray),
            SpacerWidget(),
            LabelWidget(detail.value).color(.darkText),
        ])
    }
}
