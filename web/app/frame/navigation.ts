import { type ScreenName, screens } from '#contract/screens.ts'
import { type FeatureList, features } from '#web/features/index.ts'
import type { NavItem, Screen } from '#web/lib/feature.ts'
import { lazy } from '#web/lib/lazy.tsx'

export function panelPages(list: FeatureList = features): NavItem[] {
  return Object.values(list).flatMap(({ page }) => page ?? [])
}

export async function loadAdminPages(list: FeatureList = features): Promise<NavItem[]> {
  const loaded = await Promise.all(Object.values(list).map(({ load }) => load()))
  return loaded.flatMap(({ feature }) =>
    (Object.entries(feature.screens) as [ScreenName, Screen][]).flatMap(([name, { title, adminPage }]) =>
      adminPage ? [{ href: screens[name].path, label: title, ...adminPage }] : [],
    ),
  )
}

export const adminPages = lazy(() => loadAdminPages())
