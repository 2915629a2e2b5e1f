import { projectColors } from '#contract/projects.ts'
import { classNames } from '#web/lib/class-names.ts'
import { colorNames, ProjectIcon } from '#web/ui/project-icon.tsx'

const emoji = '🏠 💼 📚 🧪 🎓 ✈️ 🛒 💰 ⚖️ 🎨 🌱 🩺 💻 📣 🍳 ❤️'.split(' ')

interface IconFieldProps {
  value: string
  onChange: (icon: string) => void
}

/** A colour or an emoji. */
export function IconField({ value, onChange }: IconFieldProps) {
  const choices = [...projectColors.map((color) => [color, colorNames[color]]), ...emoji.map((sign) => [sign, sign])]
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Цвет или значок</legend>
      <div className="flex flex-wrap gap-1">
        {choices.map(([icon = '', name = '']) => (
          <button
            key={icon}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={icon === value}
            onClick={() => onChange(icon)}
            className={classNames(
              'grid size-11 place-items-center rounded-md border transition-colors hover:bg-hover frame:size-10',
              icon === value ? 'border-accent-ink bg-accent-soft' : 'border-transparent',
            )}
          >
            <ProjectIcon icon={icon} size={22} />
          </button>
        ))}
      </div>
    </fieldset>
  )
}
