import type { ReactElement, SVGProps } from 'react'

export type IconComponent = (props: IconProps) => ReactElement

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  /** The side of its square in pixels. */
  size?: number
}

/** Makes a component of a drawing in a square of 24, which is one path. Screen readers skip it unless it has a label. */
export function icon(path: string): IconComponent {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each icon, when the module loads.
  return function Icon({ size = 24, ...props }) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, or named by its aria-label.
      <svg
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={props['aria-label'] ? undefined : true}
        data-icon=""
        {...props}
      >
        <path d={path} />
      </svg>
    )
  }
}
