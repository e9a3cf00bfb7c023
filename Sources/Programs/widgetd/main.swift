import ServerCommands

Widgetd.main()
