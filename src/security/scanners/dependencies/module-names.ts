import type { PackageVersion } from '../../findings/finding.ts';

const PYTHON: Readonly<Record<string, readonly string[]>> = {
  attrs: ['attr', 'attrs'],
  beautifulsoup4: ['bs4'],
  djangorestframework: ['rest_framework'],
  'discord-py': ['discord'],
  dnspython: ['dns'],
  gitpython: ['git'],
  'google-cloud-storage': ['google.cloud.storage'],
  grpcio: ['grpc'],
  'msgpack-python': ['msgpack'],
  'mysql-connector-python': ['mysql'],
  mysqlclient: ['MySQLdb'],
  'opencv-python': ['cv2'],
  'paho-mqtt': ['paho'],
  pillow: ['PIL'],
  protobuf: ['google.protobuf'],
  'psycopg2-binary': ['psycopg2'],
  pycryptodome: ['Crypto', 'Cryptodome'],
  pycrypto: ['Crypto'],
  pyjwt: ['jwt'],
  pyopenssl: ['OpenSSL'],
  pyserial: ['serial'],
  'python-dateutil': ['dateutil'],
  'python-dotenv': ['dotenv'],
  'python-jose': ['jose'],
  'python-multipart': ['multipart', 'python_multipart'],
  pyyaml: ['yaml'],
  pyzmq: ['zmq'],
  'scikit-image': ['skimage'],
  'scikit-learn': ['sklearn'],
  'websocket-client': ['websocket'],
};

export function moduleNamesOf({ ecosystem, name }: PackageVersion): readonly string[] {
  if (ecosystem === 'PyPI') return PYTHON[name] ?? [name.replaceAll('-', '_')];
  // A gem is loaded by its own name (`aws-sdk-s3`), or with slashes in place of hyphens (`rack/protection`).
  return ecosystem === 'RubyGems' && name.includes('-') ? [name, name.replaceAll('-', '/')] : [name];
}
