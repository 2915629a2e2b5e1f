import type { Profile, ProfileChange } from '#contract/users.ts'

/** The profile after the change, for the optimistic update. */
export function withChange(profile: Profile, { Settings, name, image }: ProfileChange): Profile {
  return {
    ...profile,
    ...(name !== undefined && { name: name.trim() }),
    ...(image !== undefined && { image }),
    Settings: { ...profile.Settings, ...Settings },
  }
}
