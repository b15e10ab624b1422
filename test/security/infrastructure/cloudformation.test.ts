// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation is written so

import { expect, test } from 'vitest';
import { createInfrastructureScanner } from '../../../src/security/scanners/infrastructure.ts';

const scanner = createInfrastructureScanner();

async function scan(path: string, text: string, of = /./) {
  expect(scanner.wants(path)).toBe(true);
  const findings = await scanner.scan({ path, text }, { deep: false });
  return findings
    .map(({ id, line }) => `${line} ${id.replace('infrastructure/', '')}`)
    .filter((one) => of.test(one));
}

const TEMPLATE = `AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Encrypted: {Type: String, Default: 'false'}
  Public: {Type: String}
  Cidr: {Type: String, Default: 0.0.0.0/0}
Conditions:
  Live: !Equals [!Ref Public, 'yes']
Resources:
  Db:
    Type: AWS::RDS::DBInstance
    Properties:
      StorageEncrypted: !Ref Encrypted
      PubliclyAccessible: !If [Live, true, false]
      DBName: !Sub 'shop-\${AWS::StackName}'
      KmsKeyId: !Ref AWS::NoValue
  Group:
    Type: AWS::EC2::SecurityGroup
    Properties:
      SecurityGroupIngress:
        - IpProtocol: tcp
          FromPort: 22
          ToPort: 22
          CidrIp: !Ref Cidr
        - {IpProtocol: tcp, FromPort: 443, ToPort: 443, CidrIp: 0.0.0.0/0}
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Statement: [{Effect: Allow, Principal: {Service: ec2.amazonaws.com}, Action: sts:AssumeRole}]
      Policies:
        - PolicyName: all
          PolicyDocument:
            Statement:
              - Effect: Allow
                Action: '*'
                Resource: !Join ['', ['*', '']]
`;

test('a template is recognised by its content, whatever its name, and tags and parameter defaults are read', async () => {
  for (const path of ['infra/anything.yml', 'stack.template', 'a.json']) {
    expect(await scan(path, TEMPLATE, /unencrypted|public|cloud-|provider-key/)).toEqual([
      '23 cloud-open-port',
      '34 cloud-wildcard-policy',
      '12 unencrypted-rds-instance',
      '11 provider-key-rds-instance',
      '13 public-rds-instance',
    ]);
  }
});

test('JSON templates are read with line numbers', async () => {
  const text = JSON.stringify(
    {
      Resources: {
        Files: { Type: 'AWS::EFS::FileSystem', Properties: { Encrypted: false } },
        Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: { 'Fn::Sub': 'NO${X}' } } },
      },
    },
    null,
    2,
  );
  expect(await scan('net.json', text, /unencrypted|public/)).toEqual(['6 unencrypted-efs-file-system']);
  expect(await scan('package.json', '{"name": "AWS::x", "Resources": {"a": {"Type": "string"}}}')).toEqual(
    [],
  );
  expect(await scan('broken.json', '{"Resources": {"A": {"Type": "AWS::EFS::FileSystem",,')).toEqual([
    '1 unencrypted-efs-file-system',
    '1 provider-key-efs-file-system',
  ]);
});

test('an AWS policy in a file of its own is checked', async () => {
  const policy = (statement: string) => `{\n"Version": "2012-10-17",\n"Statement": [\n${statement}\n]}`;
  expect(await scan('iam/a.json', policy('{"Effect": "Allow", "Action": "*", "Resource": "*"}'))).toEqual([
    '4 cloud-wildcard-policy',
  ]);
  const trust = '{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}';
  expect(await scan('iam/a.json', policy(trust))).toEqual(['4 cloud-public-trust']);
  expect(await scan('iam/a.json', policy('{"Effect": "Deny", "Action": "*", "Resource": "*"}'))).toEqual([]);
  expect(await scan('a.json', '{"Version": "2", "Statement": [{"Effect": "Allow", "Action": "*"}]}')).toEqual(
    [],
  );
});

test('a property whose value only the deployment knows is not reported as missing', async () => {
  const text = `Resources:
  A:
    Type: AWS::EFS::FileSystem
    Properties:
      Encrypted: !FindInMap [Stages, !Ref Stage, Encrypted]
      KmsKeyId: !GetAtt Key.Arn
  B:
    Type: AWS::EFS::FileSystem
    Properties:
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://shop/a.yaml}}
`;
  expect(await scan('a.yaml', text)).toEqual([]);
});

test('Globals of a SAM template apply to its functions, and resources of a Serverless Framework file are read', async () => {
  const sam = `Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Runtime: python3.6, VpcConfig: {SubnetIds: [a]}, Tracing: Active}
Resources:
  Old: {Type: AWS::Serverless::Function, Properties: {Handler: a.b}}
  New: {Type: AWS::Serverless::Function, Properties: {Handler: a.b, Runtime: python3.13}}
`;
  expect(await scan('sam.yaml', sam, /outdated|network|no-log/)).toEqual(['5 outdated-lambda-runtime']);
  const serverless =
    'service: shop\nresources:\n  Resources:\n    B:\n      Type: AWS::S3::Bucket\n      Properties: {AccessControl: PublicRead}\n';
  expect(await scan('serverless.yml', serverless, /public/)).toEqual(['6 public-s3-acl']);
});

test('a related resource counts only for the resource that it references', async () => {
  const vpc = (flow: string) => `Resources:
  Net: {Type: AWS::EC2::VPC, Properties: {CidrBlock: 10.0.0.0/16}}
${flow}`;
  expect(await scan('a.yaml', vpc(''))).toEqual(['2 no-log-vpc']);
  expect(
    await scan('a.yaml', vpc('  Flow: {Type: AWS::EC2::FlowLog, Properties: {ResourceId: !Ref Net}}\n')),
  ).toEqual([]);
  expect(
    await scan('a.yaml', vpc('  Flow: {Type: AWS::EC2::FlowLog, Properties: {ResourceId: !Ref Other}}\n')),
  ).toEqual(['2 no-log-vpc']);
});

test('both branches of a condition are read, and a problem of only one branch is one severity lower', async () => {
  const template = (yes: string, no: string) => `Resources:
  Files:
    Type: AWS::EFS::FileSystem
    Properties:
      Encrypted: !If [Live, ${yes}, ${no}]
`;
  const found = async (yes: string, no: string) =>
    (await scanner.scan({ path: 'a.yaml', text: template(yes, no) }, { deep: false }))
      .filter(({ id }) => id.includes('unencrypted'))
      .map(({ severity, description, line }) => [
        line,
        severity,
        description.includes('in one branch of Fn::If'),
      ]);
  expect(await found('false', 'false')).toEqual([[5, 'medium', false]]);
  expect(await found('true', 'false')).toEqual([[5, 'low', true]]);
  expect(await found('false', 'true')).toEqual([[5, 'low', true]]);
  expect(await found('true', '!Ref AWS::NoValue')).toEqual([[4, 'low', true]]);
  expect(await found('!If [Test, true, false]', 'false')).toEqual([[5, 'low', true]]);
  expect(await found('true', 'true')).toEqual([]);
});

test('a large manifest is read, and parts past the limits are reported', async () => {
  const left: string[] = [];
  const read = (path: string, text: string) =>
    scanner.scan({ path, text }, { deep: false, leave: (what) => left.push(what) });
  const pad = `# ${'x'.repeat(10_000)}\n`.repeat(120);
  const large = `apiVersion: v1\nkind: Pod\n${pad}spec: {hostNetwork: true, containers: []}\n`;
  expect(large.length).toBeGreaterThan(1_100_000);
  expect((await read('a.yaml', large)).map(({ id }) => id)).toContain(
    'infrastructure/container-host-namespace',
  );
  expect(left).toEqual([]);
  // Values behind an alias count as often as it is named.
  const named = `list: &a [${'1,'.repeat(2000)}]\nagain: [${'*a,'.repeat(100)}]`;
  await read('a.yaml', `apiVersion: v1\nkind: Pod\n${named}\n`);
  expect(left).toEqual(['values over the first 200000 are not read']);
  await read(
    'a.json',
    `{"Resources": {"a": {"Type": "AWS::S3::Bucket", "Deep": ${'['.repeat(300)}${']'.repeat(300)}}}}`,
  );
  expect(left.at(-1)).toBe('it is not read, since values stand under 200 others');
});
