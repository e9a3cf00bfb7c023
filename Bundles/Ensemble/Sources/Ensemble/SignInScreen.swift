import Widgets

/// A form with a banner for errors and a button that is busy.
struct SignInScreen: WidgetView {
    @State var name = ""
    @State var password = ""
    @State var message = ""
    @State var isBusy = false

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            BannerWidget(message: $message)
            LabelWidget("Sign in to see your seat.")
            TextFieldWidget($name).placeholder("Name").enabled(!$isBusy)
                .onChange(.set($message, to: ""))
                .id("name")
            TextFieldWidget($password).placeholder("Password").secureTextEntry()
                .onChange(.set($message, to: ""))
                .id("password")
            ButtonWidget("Sign in").role(.prominent).busy($isBusy)
                .enabled(!$name.isEmpty && !$password.isEmpty)
                .onTap(.set($isBusy, to: true), .after(1, .set($isBusy, to: false), answer))
                .id("signIn")
            SpinnerWidget().active($isBusy).label("Signing in")
        }
        .navigationBar(title: "Members")
    }

    /// A server is not needed: the password is known here.
    private var answer: WidgetAction {
        .when(
            $password == "adagio",
            [.set($password, to: ""), .push(with: $name) { AccountScreen(name: $0) }],
            else: [.set($message, to: "That is not the password. It is a slow tempo.")])
    }
}

/// Details that come later.
struct AccountScreen: WidgetView {
    struct Account: Codable {
        var seat: String
        var until: String
        var concerts: Int
    }

    let name: Reading<String>
    @State var account: Account?

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            PortraitWidget(initials: "♪", name: name)
            SpinnerWidget().label("Looking for your seat").shown(if: $account == nil)
            VStackWidget {
                FactWidget(name: "Seat", value: "\($account.seat)")
                DividerWidget()
                FactWidget(name: "Until", value: "\($account.until)")
                DividerWidget()
                FactWidget(name: "Concerts", value: "\($account.concerts)")
            }
            .shown(if: $account != nil)
            ButtonWidget("Sign out").role(.destructive).onTap(.back).id("signOut")
        }
        .navigationBar(title: "Account")
        .onLoad(.after(2, .set($account, to: Account(seat: "Row 4, seat 11", until: "30 June 2019", concerts: 12))))
    }
}
