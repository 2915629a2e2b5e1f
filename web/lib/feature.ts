import type { ComponentType } from 'react'
import type { FeatureName, ScreenName, screens } from '#contract/screens.ts'
import type { IconComponent } from '#web/ui/icons.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

/** The groups of the admin panel. Entries without one stand above them. */
export type AdminGroup = 'people' | 'money' | 'setup'

/** An entry of the panel or of the admin panel, and of the search palette. */
export interface NavItem {
  href: string
  label: string
  Icon: IconComponent
  /** Synonyms for the search. */
  keywords: string
  /** In the admin panel. */
  group?: AdminGroup
  /** Another address that belongs to this entry. */
  otherHref?: string
  /** Extra content beside the label. */
  Badge?: ComponentType
}

export interface Screen {
  /** The title of the browser tab. */
  title: string
  /** `ready` is awaited before the screen is shown for the first time. */
  load: () => Promise<{ default: ComponentType<ScreenProps>; ready?: () => Promise<void> }>
  /** Its entry in the admin panel; the label is the title unless another is given. */
  adminPage?: Omit<NavItem, 'href' | 'label'> & { label?: string }
}

type ScreensOf<Name extends FeatureName> = {
  [Key in ScreenName]: (typeof screens)[Key]['feature'] extends Name ? Key : never
}[ScreenName]

/** The manifest of a feature: all that the page knows of it before one of its screens is loaded. */
export interface Feature<Name extends FeatureName> {
  /** The page works without it: what links to its screens is not shown then. */
  isOptional?: true
  screens: Record<ScreensOf<Name>, Screen>
}
