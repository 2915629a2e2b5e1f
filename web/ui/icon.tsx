import type { ReactElement, SVGProps } from 'react'

export type IconComponent = (props: IconProps) => ReactElement

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  /** The side of its square in pixels. */
  size?: number
}

/** Makes a component of a drawing in a square of 24. Screen readers skip it unless it has a label. */
export function icon(body: string): IconComponent {
  const drawing = { __html: body }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each icon, when the module loads.
  return function Icon({ size = 24, ...props }) {
    return (
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
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawings, fixed when the page is built.
        dangerouslySetInnerHTML={drawing}
      />
    )
  }
}
