/** Screens, emails and help pages link by these names. */
export const profileParts = {
  profile: { path: '/profile', sections: ['balance', 'plan', 'method', 'bundles', 'promo'] },
  'profile-operations': { path: '/profile/operations', sections: ['usage', 'operations', 'receipts'] },
  'profile-keys': { path: '/profile/keys', sections: ['keys', 'key-spending', 'try-key', 'programs'] },
  'profile-settings': {
    path: '/profile/settings',
    sections: ['chat', 'instructions', 'masking', 'appearance', 'privacy'],
  },
  'profile-account': {
    path: '/profile/account',
    sections: [
      'account',
      'email',
      'password',
      'sign-in',
      'second-factor',
      'passkeys',
      'sessions',
      'consents',
      'data',
      'delete',
    ],
  },
} as const

export type ProfilePart = keyof typeof profileParts
export type SectionOf<Part extends ProfilePart> = (typeof profileParts)[Part]['sections'][number]
export type ProfileSection = SectionOf<ProfilePart>

const pathOf = new Map<string, string>(
  Object.values(profileParts).flatMap(({ path, sections }) => sections.map((section) => [section, path] as const)),
)

/** `/profile/account#sessions` */
export function profilePath(section: ProfileSection): string {
  return `${pathOf.get(section) ?? profileParts.profile.path}#${section}`
}

export function isProfileLink(link: string): boolean {
  const [path = '', section = ''] = link.split('#')
  return pathOf.get(section) === path
}

/** Where an address of the profile leads when its section has moved to another part; null when it is right. */
export function movedSection(pathname: string, hash: string): string | null {
  const path = pathOf.get(hash)
  return path && path !== pathname ? `${path}#${hash}` : null
}
