import { chooseTheme, useTheme } from '#web/lib/theme.ts'
import { Monitor, Moon, Sun } from '#web/ui/icons.ts'

const themes = [
  { value: 'system', label: 'Как в системе', Icon: Monitor },
  { value: 'light', label: 'Светлая', Icon: Sun },
  { value: 'dark', label: 'Тёмная', Icon: Moon },
] as const

export function ThemeChoice() {
  const theme = useTheme()
  return (
    <fieldset className="grid gap-2 sm:grid-cols-3">
      <legend className="sr-only">Тема</legend>
      {themes.map(({ value, label, Icon }) => (
        <label
          key={value}
          className="flex min-h-11 items-center gap-2.5 rounded-md border border-line-strong bg-surface px-3 transition-colors hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:ring-focus"
        >
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme === value}
            onChange={() => chooseTheme(value)}
            className="sr-only"
          />
          <Icon size={20} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
