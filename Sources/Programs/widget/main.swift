import WidgetCommands

await Widget.main()
