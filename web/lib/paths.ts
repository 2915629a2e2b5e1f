import type { SectionOf } from '#contract/profile-sections.ts'

/** The addresses of the product, one function per route; those of the admin screens are in `admin-paths.ts`. */

const segment = encodeURIComponent
const segments = (path: string) => path.split('/').map(segment).join('/')

export const paths = {
  home: () => '/',
  help: (slug?: string) => (slug ? `/help/${segments(slug)}` : '/help'),
  signIn: () => '/auth/signin',
  secondFactor: () => '/auth/second-factor',
  emailSent: (email?: string) => (email ? `/auth/email-sended?email=${segment(email)}` : '/auth/email-sended'),
  prompts: () => '/prompts',
  promptAdd: () => '/prompts/add',
  prompt: (id: string, share?: string) =>
    share ? `/prompts/${segment(id)}?share=${segment(share)}` : `/prompts/${segment(id)}`,
  promptCms: () => '/promptcms',
  images: (id?: string) => (id ? `/images?image=${segment(id)}` : '/images'),
  changeImage: (id: string) => `/images?image=${segment(id)}&change=1`,
  threads: () => '/threads',
  thread: (id: string, messageId?: string | null) =>
    messageId ? `/threads/${segment(id)}?message=${segment(messageId)}` : `/threads/${segment(id)}`,
  shared: (id: string) => `/shared/${segment(id)}`,
  /** A document of the seller; the version in force unless another is named. */
  legal: (kind: string, version?: number) => (version ? `/legal/${kind}?version=${version}` : `/legal/${kind}`),
  profile: (section?: SectionOf<'profile'>) => (section ? `/profile#${section}` : '/profile'),
  /** The state of a payment; the gateway leads back here too. */
  payment: (orderId: string) => `/profile?payment=${segment(orderId)}`,
  /** All operations, or those that one API key caused. */
  profileOperations: (keyId?: string) =>
    keyId ? `/profile/operations?key=${segment(keyId)}#operations` : '/profile/operations',
  profileKeys: () => '/profile/keys',
  profileSettings: () => '/profile/settings',
  profileAccount: (section?: SectionOf<'profile-account'>) =>
    section ? `/profile/account#${section}` : '/profile/account',
  assistants: () => '/assistants',
  assistantCreate: () => '/assistants/create',
  assistantEdit: (id: string) => `/assistants/${segment(id)}/edit`,
  assistantChat: (id: string) => `/?assistant=${segment(id)}`,
  assistantCopy: (id: string) => `/assistants/create?copy=${segment(id)}`,
  imports: () => '/imports',
  projects: () => '/projects',
  project: (id: string) => `/projects/${segment(id)}`,
  transcribe: () => '/transcribe',
  transcription: (id: string) => `/transcribe?id=${segment(id)}`,
}
