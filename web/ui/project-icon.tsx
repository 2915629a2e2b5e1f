import { type ProjectColor, projectColors } from '#contract/projects.ts'
import { FolderOpen } from './icons.ts'

export const colorNames: Record<ProjectColor, string> = {
  gray: 'Серый',
  red: 'Красный',
  orange: 'Оранжевый',
  yellow: 'Жёлтый',
  green: 'Зелёный',
  blue: 'Синий',
  violet: 'Фиолетовый',
}

const shades: Record<ProjectColor, string> = {
  gray: 'var(--color-muted)',
  red: '#d6453d',
  orange: '#d97706',
  yellow: '#b98900',
  green: '#2f9e44',
  blue: '#2f74d0',
  violet: '#8250df',
}

const isColor = (icon: string): icon is ProjectColor => projectColors.some((color) => color === icon)

/** An emoji, or a folder in the colour of the project. */
export function ProjectIcon({ icon, size = 20 }: { icon: string; size?: number }) {
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size * 0.85, lineHeight: 1 }}
      className="grid shrink-0 place-items-center"
    >
      {isColor(icon) ? <FolderOpen size={size} style={{ color: shades[icon] }} /> : icon}
    </span>
  )
}
