Widgetd.main()
