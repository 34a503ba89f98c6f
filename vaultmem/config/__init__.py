"""Every setting: its table, where its value comes from, and the state of the device."""
