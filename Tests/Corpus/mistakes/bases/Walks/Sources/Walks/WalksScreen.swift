import Widgets

struct WalksScreen: WidgetView {
    let walks = Walk.all
    @State var typed = ""

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            ImageWidget(named: "coast").alternative("Cliffs and the sea")
            TextFieldWidget($typed).placeholder("Name of a walk").id("filter")
            LabelWidget("No walks: \(walks.status.error)").shown(if: walks.status.failure)
            TableWidget {
                ForEach(walks, key: \.id) { walk in
                    When($typed.isEmpty || walk.name.contains($typed)) {
                        TableCellWidget("\(walk.name)", value: "\(walk.minutes) min")
                            .accessoryType(.disclosureIndicator)
                            .onSelect(.push(with: walk) { WalkScreen(walk: $0) })
                    }
                }
            }
            .onRefresh(walks)
            .id("walks")
        }
        .navigationBar(title: "Walks")
    }
}
